// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A pool of two workers. Its destructor tells them to stop, but wakes only one of them.

#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
public:
    Pool() {
        for (std::thread &worker : workers)
            worker = std::thread([this] { work(); });
    }

    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex);
            stopping = true;
        }
#ifdef FIXED
        changed.notify_all();
#else
        changed.notify_one();
#endif
        for (std::thread &worker : workers)
            worker.join();
    }

private:
    void work() {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this] { return stopping; });
    }

    std::mutex mutex;
    std::condition_variable changed;
    bool stopping = false;
    std::thread workers[2];
};

int main() {
    Pool pool;
}
