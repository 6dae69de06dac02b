// cflags: -std=c++20
// selvedge: check --cflags=-DATOMIC
// expect: verified
// selvedge: check --model sc --cflags=-DATOMIC
// expect: verified
// selvedge: check --model tso --cflags=-DATOMIC
// expect: verified
// selvedge: check --cflags="-DATOMIC -DORDER=std::memory_order_relaxed"
// expect: violation data-race
// selvedge: check --cflags="-DATOMIC -DSILENT"
// expect: violation deadlock
// selvedge: check --model sc --cflags="-DATOMIC -DSILENT"
// expect: violation deadlock
// selvedge: check --cflags=-DLATCH
// expect: verified
// selvedge: check --model tso --cflags=-DLATCH
// expect: verified
// selvedge: check --cflags=-DBARRIER
// expect: verified
// selvedge: check --model sc --cflags=-DBARRIER
// expect: verified
// selvedge: check --cflags=-DSEMAPHORE
// expect: verified
// selvedge: check --cflags=-DTIMED
// expect: verified
// selvedge: check --cflags="-DTIMED -DSURE"
// expect: violation assertion
// selvedge: check --model sc --cflags="-DTIMED -DSURE"
// expect: violation assertion
//
// What C++20 has to wait with, between two and three threads. SILENT: nobody notifies the one who waits. SURE: it is taken for
// granted that the time is enough.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_acquire
#endif

static int data[3];

#if defined(ATOMIC)
static std::atomic<int> flag{0};
static std::atomic<long> wide{0};

int main() {
    std::thread first([] {
        flag.wait(0, ORDER);
        assert(data[0] == 1);
        wide.store(1, std::memory_order_release);
        wide.notify_all();
    });
    data[0] = 1;
    flag.store(1, std::memory_order_release);
#ifndef SILENT
    flag.notify_one();
#endif
    wide.wait(0);
    first.join();
}
#elif defined(LATCH)
static std::latch latch(2);

static void work(int number) {
    data[number] = 1;
    latch.arrive_and_wait();
    assert(data[0] + data[1] == 2);
}

int main() {
    std::thread first(work, 0), second(work, 1);
    latch.wait();
    assert(data[0] + data[1] == 2);
    first.join();
    second.join();
}
#elif defined(BARRIER)
static std::barrier<> barrier(2);

static void work(int number) {
    data[number] = 1;
    barrier.arrive_and_wait();
    assert(data[1 - number] == 1);
}

int main() {
    std::thread other(work, 1);
    work(0);
    other.join();
}
#elif defined(SEMAPHORE)
static std::counting_semaphore<2> semaphore{1};

static void work() {
    semaphore.acquire();
    ++data[0];
    semaphore.release();
}

int main() {
    std::thread first(work), second(work);
    first.join();
    second.join();
    assert(data[0] == 2);
}
#elif defined(TIMED)
static std::binary_semaphore ready{0};

int main() {
    std::thread other([] {
        data[0] = 1;
        ready.release();
    });
    const bool acquired = ready.try_acquire_for(std::chrono::milliseconds(10));
#ifdef SURE
    assert(acquired);
#endif
    if (acquired)
        assert(data[0] == 1);
    other.join();
}
#endif
