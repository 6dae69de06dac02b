// selvedge: check --model tso
// expect: verified
// selvedge: check --model pso
// expect: violation assertion line 33
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// A price and the number of its revision are published by relaxed stores, and read in the opposite order.

#include <atomic>
#include <cassert>
#include <thread>

struct Quote {
    std::atomic<int> price{100};
    std::atomic<int> revision{0};
};

int main() {
    Quote quote;
    std::thread exchange([&] {
        quote.price.store(101, std::memory_order_relaxed);
#ifdef FIXED
        std::atomic_thread_fence(std::memory_order_release);
#endif
        quote.revision.store(1, std::memory_order_relaxed);
    });
    std::thread trader([&] {
        if (quote.revision.load(std::memory_order_relaxed) == 1) {
#ifdef FIXED
            std::atomic_thread_fence(std::memory_order_acquire);
#endif
            assert(quote.price.load(std::memory_order_relaxed) == 101);
        }
    });
    exchange.join();
    trader.join();
}
