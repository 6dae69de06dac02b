// selvedge: check
// expect: verified
// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: verified
// selvedge: check --cflags=-DUNSYNCHRONISED
// expect: violation data-race
// selvedge: check --cflags=-DOTHER_BUFFER
// expect: violation data-race
// selvedge: check --cflags=-DFORMATS
// expect: violation data-race
//
// Threads may write to the standard streams at the same time, unless the program says that these are not synchronised with
// C's streams, or gives one another buffer. Changing a stream's formats is not writing.
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

int main() {
#ifdef UNSYNCHRONISED
    std::ios_base::sync_with_stdio(false);
#endif
    std::stringbuf buffer;
    std::streambuf *original = std::cout.rdbuf();
#ifdef OTHER_BUFFER
    std::cout.rdbuf(&buffer);
#endif
    std::thread other([] {
#ifdef FORMATS
        std::cout << std::setw(4);
#endif
        std::cout << "other " << 1 << std::endl;
    });
    std::cout << "main " << 2.5 << '\n';
    std::printf("done\n");
    other.join();
    std::cout.rdbuf(original);
}
