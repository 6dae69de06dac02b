// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 4
// native: same
// stdout: seen 1 1
// stdout: timed wait 0
// stdout: timed out 1
// stdout: stopped wait satisfied 0

// condition_variable_any works with any lock, with time limits and with stop tokens.

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

int main() {
    std::shared_mutex lock;
    std::condition_variable_any changed;
    int generation = 0;
    int seen[2] = {0, 0};
    auto reader = [&](int me) {
        std::shared_lock guard(lock);
        changed.wait(guard, [&] { return generation == 1; });
        seen[me] = generation;
    };
    std::thread a(reader, 0), b(reader, 1);
    {
        std::unique_lock guard(lock);
        generation = 1;
    }
    changed.notify_all();
    a.join();
    b.join();
    std::printf("seen %d %d\n", seen[0], seen[1]);

    std::mutex plain;
    std::unique_lock held(plain);
    std::printf("timed wait %d\n", changed.wait_for(held, 1ms, [] { return false; }));
    std::condition_variable simple;
    bool timed_out = false;
    while (!timed_out) timed_out = simple.wait_for(held, 1ms) == std::cv_status::timeout;
    std::printf("timed out %d\n", timed_out);
    held.unlock();

    bool satisfied = true;
    std::jthread waiter([&](std::stop_token token) {
        std::unique_lock guard(plain);
        satisfied = changed.wait(guard, token, [] { return false; });
    });
    waiter.request_stop();
    waiter.join();
    std::printf("stopped wait satisfied %d\n", satisfied);
}
