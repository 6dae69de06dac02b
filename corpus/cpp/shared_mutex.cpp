// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: sum 42 of 6 values
// stdout: second reader 1 writer 0
// stdout: timed read refused 1

// Readers share, writers exclude; a reader never sees half of an update.

#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

struct Registry {
    mutable std::shared_mutex lock;
    std::vector<int> values;
    int sum = 0;

    void add(int value) {
        std::unique_lock guard(lock);
        values.push_back(value);
        sum += value;
    }

    bool consistent() const {
        std::shared_lock guard(lock);
        int total = 0;
        for (int v : values) total += v;
        return total == sum;
    }
};

int main() {
    Registry registry;
    std::vector<std::thread> threads;
    for (int w = 0; w < 2; ++w)
        threads.emplace_back([&, w] {
            for (int i = 1; i <= 3; ++i) registry.add(10 * w + i);
        });
    for (int r = 0; r < 2; ++r)
        threads.emplace_back([&] {
            for (int i = 0; i < 3; ++i) assert(registry.consistent());
        });
    for (auto& t : threads) t.join();
    std::printf("sum %d of %zu values\n", registry.sum, registry.values.size());

    std::shared_lock first(registry.lock);
    std::shared_lock second(registry.lock, std::try_to_lock);
    std::printf("second reader %d writer %d\n", second.owns_lock(), registry.lock.try_lock());

    std::shared_timed_mutex timed;
    timed.lock();
    bool read = true;
    std::thread([&] { read = timed.try_lock_shared_for(std::chrono::milliseconds(1)); }).join();
    timed.unlock();
    std::printf("timed read refused %d\n", !read);
}
