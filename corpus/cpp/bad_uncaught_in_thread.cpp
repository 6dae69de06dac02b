// selvedge: run
// cflags: -std=c++20
// expect: violation abort
// seeds: 3

// An exception may not leave a thread's function.

#include <cstdio>
#include <stdexcept>
#include <thread>

int main() {
    std::thread worker([] { throw std::runtime_error("nobody is listening"); });
    worker.join();
    std::printf("never printed\n");
}
