// selvedge: run
// cflags: -std=c++20
// expect-some: violation deadlock
// seeds: 20

// The waiter does not check a condition, so a notification that comes first is lost.

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable ready;
    std::thread waiter([&] {
        std::unique_lock lock(mutex);
        ready.wait(lock);
    });
    {
        std::lock_guard lock(mutex);
        ready.notify_one();
    }
    waiter.join();
    std::printf("woken\n");
}
