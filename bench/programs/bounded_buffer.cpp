// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// A buffer with two slots, a mutex and two condition variables; N producers and N consumers, one item each.
// BUG: who was woken does not look again.
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif

class Buffer {
    static constexpr int SLOTS = 2;
    std::mutex mutex;
    std::condition_variable not_full, not_empty;
    std::array<int, SLOTS> slots{};
    int first = 0, filled = 0;

public:
    void put(int item) {
        std::unique_lock guard(mutex);
        not_full.wait(guard, [&] { return filled < SLOTS; });
        slots[(first + filled) % SLOTS] = item;
        filled++;
        not_empty.notify_one();
    }

    int take() {
        std::unique_lock guard(mutex);
#ifdef BUG
        if (filled == 0)
            not_empty.wait(guard);
        assert(filled > 0);
#else
        not_empty.wait(guard, [&] { return filled > 0; });
#endif
        int item = slots[first];
        first = (first + 1) % SLOTS;
        filled--;
        not_full.notify_one();
        return item;
    }
};

int main() {
    Buffer buffer;
    std::array<int, N> taken{};
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back([&, i] { buffer.put(i + 1); });
    for (int i = 0; i < N; i++)
        threads.emplace_back([&, i] { taken[i] = buffer.take(); });
    for (std::thread &thread : threads)
        thread.join();
    int sum = 0;
    for (int item : taken)
        sum += item;
    assert(sum == N * (N + 1) / 2);
}
