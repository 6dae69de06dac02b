// selvedge: run --leaks
// cflags: -std=c++20
// expect: exit 0
// seeds: 3
// native: same
// stdout: 5 48 3

// Everything that is freed, or still reachable from a global, is no leak.

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

static int* kept = nullptr;
static std::map<int, std::string> names;

int main() {
    kept = new int(5);
    names[1] = "a string that is long enough to live on the heap";
    std::vector<std::thread> threads;
    auto shared = std::make_shared<std::vector<int>>(3, 7);
    for (int i = 0; i < 2; ++i) threads.emplace_back([shared, i] { delete new int((*shared)[i]); });
    for (auto& thread : threads) thread.join();
    std::printf("%d %zu %zu\n", *kept, names[1].size(), shared->size());
}
