// selvedge: run
// cflags: -std=c++20
// expect-some: violation assertion line 23
// seeds: 20

// Increments without a lock: an update is lost in some schedules.

#include <cassert>
#include <cstdio>
#include <thread>

static int counter = 0;

static void add_twice() {
    for (int i = 0; i < 2; ++i) counter = counter + 1;
}

int main() {
    std::thread one(add_twice), two(add_twice);
    one.join();
    two.join();
    std::printf("counter %d\n", counter);
    assert(counter == 4);  // fault: an increment was lost
}
