// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: promise 42
// stdout: deferred 1
// stdout: async 10 lazy 30
// stdout: task wwwww
// stdout: caught no such thread
// stdout: gate 25
// stdout: broken promise 1

// Promises, futures, shared futures, async (both policies), packaged tasks, errors through a future.

#include <chrono>
#include <cstdio>
#include <future>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int sum(std::vector<int> values) { return std::accumulate(values.begin(), values.end(), 0); }

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread setter([p = std::move(promise)]() mutable { p.set_value(6 * 7); });
    std::printf("promise %d\n", future.get());
    setter.join();

    auto parallel = std::async(std::launch::async, sum, std::vector<int>{1, 2, 3, 4});
    auto lazy = std::async(std::launch::deferred, sum, std::vector<int>{10, 20});
    std::printf("deferred %d\n", lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    std::printf("async %d lazy %d\n", parallel.get(), lazy.get());

    std::packaged_task<std::string(int)> task([](int n) { return std::string(n, 'w'); });
    auto woven = task.get_future();
    std::thread runner(std::move(task), 5);
    std::printf("task %s\n", woven.get().c_str());
    runner.join();

    auto failing = std::async(std::launch::async, []() -> int { throw std::out_of_range("no such thread"); });
    try {
        failing.get();
    } catch (const std::logic_error& error) {
        std::printf("caught %s\n", error.what());
    }

    std::promise<void> start;
    std::shared_future<void> gate = start.get_future().share();
    auto waiter = [gate](int n) {
        gate.wait();
        return n * n;
    };
    auto one = std::async(std::launch::async, waiter, 3), two = std::async(std::launch::async, waiter, 4);
    start.set_value();
    std::printf("gate %d\n", one.get() + two.get());

    std::future<int> broken = std::promise<int>().get_future();
    try {
        broken.get();
    } catch (const std::future_error& error) {
        std::printf("broken promise %d\n", error.code() == std::future_errc::broken_promise);
    }
}
