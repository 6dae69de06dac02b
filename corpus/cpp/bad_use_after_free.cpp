// selvedge: run
// cflags: -std=c++20
// expect: violation memory line 16

// A reference into a vector dangles after the vector has grown.

#include <cstdio>
#include <vector>

int main() {
    std::vector<int> values{1, 2, 3};
    values.shrink_to_fit();
    int& first = values[0];
    std::printf("first %d\n", first);
    for (int i = 0; i < 100; ++i) values.push_back(i);
    int stale = first;  // fault: the elements have moved
    std::printf("stale %d\n", stale);
}
