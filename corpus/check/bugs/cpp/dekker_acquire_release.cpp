// selvedge: check
// expect: violation assertion line 39
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: violation assertion line 39
// selvedge: check --model tso --cflags=-DFIXED
// expect: verified
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// Two threads announce themselves and look for each other, with release and acquire. Both can miss the other one.

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto announce = std::memory_order_seq_cst, look = std::memory_order_seq_cst;
#else
constexpr auto announce = std::memory_order_release, look = std::memory_order_acquire;
#endif

int main() {
    std::atomic<bool> left_here{false}, right_here{false};
    bool left_alone = false, right_alone = false;
    std::thread left([&] {
        left_here.store(true, announce);
        left_alone = !right_here.load(look);
    });
    std::thread right([&] {
        right_here.store(true, announce);
        right_alone = !left_here.load(look);
    });
    left.join();
    right.join();
    assert(!(left_alone && right_alone));
}
