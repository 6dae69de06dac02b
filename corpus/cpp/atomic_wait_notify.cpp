// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: plain 4 referred 22 flag 1
// stdout: turn 6

// atomic_flag and atomic<int>: test_and_set, wait, notify; atomic_ref over plain storage.

#include <atomic>
#include <cstdio>
#include <thread>

int main() {
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    std::atomic_flag go;
    int plain = 0;
    alignas(std::atomic_ref<int>::required_alignment) int referred = 0;
    std::atomic<int> turn{0};

    auto body = [&](int me) {
        go.wait(false);
        for (int i = 0; i < 2; ++i) {
            while (lock.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
            ++plain;
            lock.clear(std::memory_order_release);
            std::atomic_ref<int>(referred).fetch_add(me);
        }
    };
    std::thread a(body, 1), b(body, 10);
    go.test_and_set();
    go.notify_all();
    a.join();
    b.join();
    std::printf("plain %d referred %d flag %d\n", plain, referred, go.test());

    std::thread ping([&] {
        for (int i = 0; i < 3; ++i) {
            turn.wait(2 * i);
            turn.store(2 * i + 2);
            turn.notify_one();
        }
    });
    for (int i = 0; i < 3; ++i) {
        turn.store(2 * i + 1);
        turn.notify_one();
        turn.wait(2 * i + 1);
    }
    ping.join();
    std::printf("turn %d\n", turn.load());
}
