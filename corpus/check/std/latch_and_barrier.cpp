// selvedge: check --model sc --cflags=-std=c++20
// expect: verified
// selvedge: check --cflags="-std=c++20 -DEARLY"
// expect: violation assertion
//
// A latch, a barrier, a semaphore and an atomic that is waited for. The library looks for a while before it sleeps; that
// must not make states endlessly many. EARLY: one worker counts down before it has added what it has.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch added(2);
static std::barrier<> meeting(2);
static std::binary_semaphore turn(0);
static std::atomic<int> sum{0};
static std::atomic<bool> last{false};

static void first() {
    sum += 1;
    added.count_down();
    meeting.arrive_and_wait();
    turn.release();
}

static void second() {
#ifdef EARLY
    added.count_down();
    sum += 2;
#else
    sum += 2;
    added.count_down();
#endif
    meeting.arrive_and_wait();
    turn.acquire();
    last = true;
    last.notify_one();
}

int main() {
    std::thread one(first), two(second);
    added.wait();
    assert(sum == 3);
    last.wait(false);
    one.join();
    two.join();
}
