// selvedge: run
// cflags: -std=c++20
// expect: violation abort
// seeds: 3

// The destructor of a joinable thread terminates the program.

#include <cstdio>
#include <thread>

int main() {
    {
        std::thread forgotten([] { std::this_thread::yield(); });
        std::printf("leaving the scope\n");
    }
    std::printf("never printed\n");
}
