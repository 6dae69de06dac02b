// selvedge: check
// expect: verified
//
// A promise that one thread fulfils and another waits for, and a lock around what they both count.

#include <cassert>
#include <future>
#include <mutex>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::mutex mutex;
    int steps = 0;
    std::thread producer([&] {
        {
            std::lock_guard<std::mutex> lock(mutex);
            steps++;
        }
        promise.set_value(6);
    });
    std::thread consumer([&] {
        int value = future.get();
        std::lock_guard<std::mutex> lock(mutex);
        steps += value;
    });
    producer.join();
    consumer.join();
    assert(steps == 7);
}
