// selvedge: check --model sc
// expect: verified

// The wait with a predicate looks again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool full;

int main() {
    std::thread taker([] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [] { return full; });
        assert(full);
    });
    {
        std::lock_guard lock(mutex);
        full = true;
        changed.notify_one();
    }
    taker.join();
    return 0;
}
