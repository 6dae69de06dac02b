// selvedge: run
// cflags: -std=c++20
// expect: violation memory

// operator[] does not check: the fourth element lies past the allocation.

#include <cstdio>
#include <vector>

static long sum(const std::vector<long>& values, std::size_t count) {
    long total = 0;
    for (std::size_t i = 0; i < count; ++i) total += values[i];
    return total;
}

int main() {
    std::vector<long> values{10, 20, 30};
    values.shrink_to_fit();
    std::printf("%ld\n", sum(values, 3));
    std::printf("%ld\n", sum(values, 4));
}
