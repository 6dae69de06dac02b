// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation data-race
//
// A ticket lock with the weakest orders that suffice; N threads increment a plain counter under it.
// BUG: who comes does not wait.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 4
#endif

class TicketLock {
    std::atomic<unsigned> next{0}, serving{0};

public:
    void lock() {
        unsigned mine = next.fetch_add(1, std::memory_order_relaxed);
#ifdef BUG
        (void)mine;
#else
        while (serving.load(std::memory_order_acquire) != mine)
            ;
#endif
    }

    void unlock() {
        serving.store(serving.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
};

int main() {
    TicketLock lock;
    int counter = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back([&] {
            std::lock_guard guard(lock);
            counter++;
        });
    for (std::thread &thread : threads)
        thread.join();
    assert(counter == N);
}
