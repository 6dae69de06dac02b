// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A cache under std::shared_mutex that wants to write while it still holds its reading lock.

#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Cache {
public:
    int get() {
        std::shared_lock<std::shared_mutex> reading(mutex);
        if (value != 0)
            return value;
#ifdef FIXED
        reading.unlock();
#endif
        std::unique_lock<std::shared_mutex> writing(mutex);
        if (value == 0)
            value = 42;
        return value;
    }

private:
    std::shared_mutex mutex;
    int value = 0;
};

int main() {
    Cache cache;
    auto client = [&] { assert(cache.get() == 42); };
    std::thread first(client), second(client);
    first.join();
    second.join();
}
