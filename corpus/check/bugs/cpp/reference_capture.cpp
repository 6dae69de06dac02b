// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Threads are started in a loop, and their lambdas take the loop's counter by reference.

#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic<int> started[3] = {};
    std::thread workers[2];
    int number = 0;
    for (std::thread &worker : workers) {
#ifdef FIXED
        worker = std::thread([&started, number] { started[number]++; });
#else
        worker = std::thread([&started, &number] { started[number]++; });
#endif
        number++;
    }
    for (std::thread &worker : workers)
        worker.join();
    assert(started[0] == 1 && started[1] == 1);
}
