// selvedge: run
// cflags: -std=c++20
// expect-some: violation deadlock
// seeds: 20

// Two mutexes in opposite orders.

#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int shared_value = 0;

int main() {
    std::thread one([] {
        std::lock_guard a(left);
        std::lock_guard b(right);
        shared_value += 1;
    });
    std::thread two([] {
        std::lock_guard b(right);
        std::lock_guard a(left);
        shared_value *= 2;
    });
    one.join();
    two.join();
    std::printf("finished\n");
}
