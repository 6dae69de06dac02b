// selvedge: check
// expect: violation assertion line 30
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A job queue whose workers wait once and then take a job without looking whether there still is one.

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class JobQueue {
public:
    void push(int job) {
        std::lock_guard<std::mutex> lock(mutex);
        jobs.push_back(job);
        not_empty.notify_one();
    }

    int pop() {
        std::unique_lock<std::mutex> lock(mutex);
#ifdef FIXED
        not_empty.wait(lock, [this] { return !jobs.empty(); });
#else
        if (jobs.empty())
            not_empty.wait(lock);
#endif
        assert(!jobs.empty());
        int job = jobs.front();
        jobs.pop_front();
        return job;
    }

private:
    std::mutex mutex;
    std::condition_variable not_empty;
    std::deque<int> jobs;
};

int main() {
    JobQueue queue;
    std::thread first([&] { queue.pop(); });
    std::thread second([&] { queue.pop(); });
    queue.push(1);
    queue.push(2);
    first.join();
    second.join();
}
