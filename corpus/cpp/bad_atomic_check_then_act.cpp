// selvedge: run
// cflags: -std=c++20
// expect-some: violation assertion line 27
// seeds: 20

// Two atomic operations in a row are not one: the last ticket is sold twice.

#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> tickets{1}, sold{0};

static void buy() {
    if (tickets.load() > 0) {
        tickets.fetch_sub(1);
        sold.fetch_add(1);
    }
}

int main() {
    std::thread one(buy), two(buy);
    one.join();
    two.join();
    std::printf("sold %d left %d\n", sold.load(), tickets.load());
    assert(tickets.load() >= 0);  // fault: both saw the last ticket
}
