// selvedge: run
// cflags: -std=c++20
// expect: violation abort

// A noexcept function throws: the handler outside of it is never reached.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

static int strict(int value) noexcept {
    if (value > 2) throw std::out_of_range("too large");
    return value;
}

int main() {
    std::set_terminate([] {
        std::printf("terminating\n");
        std::fflush(stdout);
        std::abort();
    });
    try {
        for (int i = 0; i < 5; ++i) std::printf("%d\n", strict(i));
    } catch (const std::exception&) {
        std::printf("never printed\n");
    }
}
