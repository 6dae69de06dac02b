// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model sc --no-spurious
// expect: verified

// The wait without a predicate may return for no reason; the one with a predicate looks again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool full, taken;

int main() {
    std::thread taker([] {
        std::unique_lock lock(mutex);
        if (!full)
            changed.wait(lock);
        assert(full);
        taken = true;
    });
    {
        std::lock_guard lock(mutex);
        full = true;
        changed.notify_one();
    }
    taker.join();
    return !taken;
}
