// selvedge: run -- 12 4 0
// cflags: -std=c++20
// expect: violation division line 12

// An average over no values.

#include <cstdio>
#include <cstdlib>
#include <vector>

static int ratio(int a, int b) {
    return a / b;  // fault: 4 / 0
}

int main(int argc, char** argv) {
    std::vector<int> values;
    for (int i = 1; i < argc; ++i) values.push_back(std::atoi(argv[i]));
    for (std::size_t i = 1; i < values.size(); ++i) std::printf("%d\n", ratio(values[i - 1], values[i]));
}
