// selvedge: check
// expect: violation assertion line 37
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Statistics in an atomic that is read and written back: each access is atomic, the increment is not.

#include <atomic>
#include <cassert>
#include <thread>

class Statistics {
public:
    void hit() {
#ifdef FIXED
        hits += 1;
#else
        hits = hits + 1;
#endif
    }

    int total() const { return hits; }

private:
    std::atomic<int> hits{0};
};

int main() {
    Statistics statistics;
    auto client = [&] {
        statistics.hit();
        statistics.hit();
    };
    std::thread first(client), second(client);
    first.join();
    second.join();
    assert(statistics.total() == 4);
}
