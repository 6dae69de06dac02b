// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: a joinable 0, moved joinable 1
// stdout: 10 11 12 13 20 21 22 23 | 7 42 moved!
// stdout: default id equal 1

// Threads started from a function, a lambda, a member function and a functor; arguments by value and by reference.

#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

static void fill(int from, std::vector<int>& into) {
    for (int i = 0; i < 4; ++i) into.push_back(from + i);
}

struct Counter {
    int value = 0;
    void add(int amount) { value += amount; }
};

struct Doubler {
    int* target;
    void operator()(int x) const { *target = 2 * x; }
};

int main() {
    std::vector<int> first, second;
    Counter counter;
    int doubled = 0;
    std::string joined;
    std::thread a(fill, 10, std::ref(first));
    std::thread b(fill, 20, std::ref(second));
    std::thread c(&Counter::add, &counter, 7);
    std::thread d(Doubler{&doubled}, 21);
    std::thread e([&joined](std::string text) { joined = text + "!"; }, "moved");
    std::thread moved = std::move(a);
    std::printf("a joinable %d, moved joinable %d\n", a.joinable(), moved.joinable());
    moved.join();
    b.join();
    c.join();
    d.join();
    e.join();
    for (int x : first) std::printf("%d ", x);
    for (int x : second) std::printf("%d ", x);
    std::printf("| %d %d %s\n", counter.value, doubled, joined.c_str());
    std::printf("default id equal %d\n", std::thread().get_id() == std::thread::id());
}
