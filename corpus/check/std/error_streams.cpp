// selvedge: check
// expect: verified
//
// Streams for errors and logs, narrow and wide. Errors flush the standard output first; wide streams have locks.
#include <iostream>
#include <thread>

int main() {
    std::thread other([] { std::cerr << 1; });
    std::cerr << "e" << std::flush;
    other.join();
    std::thread wide([] { std::wclog << L"w"; });
    std::wclog << 2;
    wide.join();
}
