// selvedge: run
// cflags: -std=c++20
// expect-some: violation memory
// seeds: 20

// A detached thread uses an object that its creator deletes without waiting.

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

struct Job {
    std::atomic<int> progress{0};
};

int main() {
    auto job = std::make_unique<Job>();
    std::atomic<bool> finished{false};
    std::thread([raw = job.get(), &finished] {
        raw->progress.store(1);
        finished.store(true);
    }).detach();
    job.reset();
    while (!finished.load()) std::this_thread::yield();
    std::printf("finished\n");
}
