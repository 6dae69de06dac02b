// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Results are collected in one vector. Adding is done under a lock; asking for the size is not.

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Results {
public:
    void add(int result) {
        std::lock_guard<std::mutex> lock(mutex);
        results.push_back(result);
    }

    std::size_t size() {
#ifdef FIXED
        std::lock_guard<std::mutex> lock(mutex);
#endif
        return results.size();
    }

private:
    std::mutex mutex;
    std::vector<int> results;
};

int main() {
    Results results;
    std::thread worker([&] { results.add(7); });
    assert(results.size() <= 1);
    worker.join();
}
