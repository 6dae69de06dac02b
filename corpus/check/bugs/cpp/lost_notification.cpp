// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A latch whose flag is set without the mutex. The waiter can look at the flag, miss the notification, and sleep.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Latch {
public:
    void open() {
#ifdef FIXED
        std::lock_guard<std::mutex> lock(mutex);
#endif
        is_open = true;
        opened.notify_all();
    }

    void wait() {
        std::unique_lock<std::mutex> lock(mutex);
        opened.wait(lock, [this] { return is_open.load(); });
    }

private:
    std::mutex mutex;
    std::condition_variable opened;
    std::atomic<bool> is_open{false};
};

int main() {
    Latch latch;
    std::thread gate([&] { latch.open(); });
    latch.wait();
    gate.join();
}
