// selvedge: check
// expect: verified
// selvedge: check --cflags=-DBUG
// expect: violation assertion
//
// Threads share an object through counted pointers; whoever drops the last one destroys it.
// BUG: main asks for the number of owners while the threads drop theirs.
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

static int destroyed;

struct Shared {
    int value = 7;
    ~Shared() { destroyed++; }
};

int main() {
    auto shared = std::make_shared<Shared>();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([copy = shared] { assert(copy->value == 7); });
#ifdef BUG
    assert(shared.use_count() > 2);
#endif
    shared.reset();
    for (std::thread &thread : threads)
        thread.join();
    assert(destroyed == 1);
}
