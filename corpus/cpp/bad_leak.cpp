// selvedge: run --leaks
// cflags: -std=c++20
// expect: violation leak

// The only pointer to an array is overwritten.

#include <cstdio>
#include <memory>

int main() {
    int* values = new int[4]{1, 2, 3, 4};
    std::printf("last %d\n", values[3]);
    values = new int[1]{5};
    std::printf("now %d\n", values[0]);
    delete[] values;
}
