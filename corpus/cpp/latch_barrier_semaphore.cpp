// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: ready 1 phases 2 passed 3
// stdout: empty 0
// stdout: timed 0
// stdout: acquired

// The C++20 coordination types: latch, barrier with a completion step, counting and binary semaphores.

#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
    constexpr int workers = 3;
    std::latch ready(workers), done(workers);
    int phases = 0;
    auto on_phase = [&phases]() noexcept { ++phases; };
    std::barrier sync(workers, on_phase);
    std::counting_semaphore<2> slots(2);
    std::atomic<int> inside{0}, passed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i)
        threads.emplace_back([&] {
            ready.arrive_and_wait();
            for (int phase = 1; phase <= 2; ++phase) {
                sync.arrive_and_wait();
                assert(phases >= phase);
            }
            slots.acquire();
            assert(inside.fetch_add(1) < 2);
            inside.fetch_sub(1);
            slots.release();
            passed.fetch_add(1);
            done.count_down();
        });
    done.wait();
    std::printf("ready %d phases %d passed %d\n", ready.try_wait(), phases, passed.load());
    for (auto& t : threads) t.join();

    std::binary_semaphore ball(0);
    std::printf("empty %d\n", ball.try_acquire());
    std::printf("timed %d\n", ball.try_acquire_for(std::chrono::milliseconds(1)));
    std::thread server([&] { ball.release(); });
    ball.acquire();
    server.join();
    std::printf("acquired\n");
}
