// selvedge: check
// expect: violation data-race
//
// Output of two threads is no data race, but it orders nothing else: the flag is relaxed, so the number is read unordered.
#include <atomic>
#include <iostream>
#include <thread>

int number;
std::atomic<bool> written;

int main() {
    std::thread other([] {
        number = 1;
        std::cout << "written\n";
        written.store(true, std::memory_order_relaxed);
    });
    if (written.load(std::memory_order_relaxed)) {
        std::cout << "seen\n";
        std::cout << number;
    }
    other.join();
}
