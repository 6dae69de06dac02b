// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A spin lock for std::lock_guard that is tested and set in two steps.

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinMutex {
public:
    void lock() {
#ifdef FIXED
        while (locked.exchange(true, std::memory_order_acquire)) {
        }
#else
        while (locked.load(std::memory_order_acquire)) {
        }
        locked.store(true, std::memory_order_relaxed);
#endif
    }

    void unlock() { locked.store(false, std::memory_order_release); }

private:
    std::atomic<bool> locked{false};
};

int main() {
    SpinMutex mutex;
    int members = 0;
    auto join_club = [&] {
        std::lock_guard<SpinMutex> lock(mutex);
        members++;
    };
    std::thread first(join_club), second(join_club);
    first.join();
    second.join();
    assert(members == 2);
}
