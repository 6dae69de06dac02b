// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: vector: 0 7 8 9 1 25 36 49 64 81 -1
// stdout: vector: 7 9 1 25 49 81 -1 5
// stdout: at 9 front 7 back 5 span 75
// stdout: deque 202 199 198 3
// stdout: deque: 1 3 4 0
// stdout: list: 9 5 2 1
// stdout: forward: 0 1 2 3
// stdout: array: 1 2 3 0 9
// stdout: bits 100000101101 5 2093
// stdout: flags 2
// stdout: grid 6 copy equal 1

// vector, deque, list, forward_list, array, bitset, vector<bool>, span: growth, insertion, splicing, iteration.

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <list>
#include <numeric>
#include <span>
#include <vector>

template <typename Range>
static void show(const char* name, const Range& range) {
    std::printf("%s:", name);
    for (const auto& x : range) std::printf(" %d", int(x));
    std::printf("\n");
}

static int total(std::span<const int> values) { return std::accumulate(values.begin(), values.end(), 0); }

int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 10; ++i) numbers.push_back(i * i);
    numbers.erase(numbers.begin() + 2, numbers.begin() + 5);
    numbers.insert(numbers.begin() + 1, {7, 8, 9});
    numbers.emplace(numbers.end(), -1);
    show("vector", numbers);
    std::erase_if(numbers, [](int x) { return x % 2 == 0; });
    numbers.resize(8, 5);
    numbers.shrink_to_fit();
    show("vector", numbers);
    std::printf("at %d front %d back %d span %d\n", numbers.at(1), numbers.front(), numbers.back(),
                total(std::span(numbers).subspan(2, 3)));

    std::deque<int> deque{3, 4};
    for (int i = 0; i < 200; ++i) (i % 2 ? deque.push_front(i) : deque.push_back(i));
    std::printf("deque %zu %d %d %d\n", deque.size(), deque.front(), deque.back(), deque[100]);
    while (deque.size() > 4) deque.pop_front(), deque.pop_back();
    show("deque", deque);

    std::list<int> list{5, 1, 4}, other{9, 2};
    list.splice(std::next(list.begin()), other);
    list.sort();
    list.reverse();
    list.remove_if([](int x) { return x == 4; });
    show("list", list);
    std::forward_list<int> forward{1, 1, 2, 2, 3};
    forward.unique();
    forward.push_front(0);
    show("forward", forward);

    std::array<int, 5> array{1, 2, 3};
    array.back() = 9;
    show("array", array);
    std::bitset<12> bits("101100");
    bits.flip(0).set(11);
    std::printf("bits %s %zu %lu\n", bits.to_string().c_str(), bits.count(), bits.to_ulong());
    std::vector<bool> flags(70);
    flags[3] = flags[69] = true;
    flags.flip();
    std::printf("flags %ld\n", long(std::count(flags.begin(), flags.end(), false)));
    std::vector<std::vector<int>> grid(3, std::vector<int>(2, 1));
    grid[1][1] = 5;
    std::printf("grid %d copy equal %d\n", grid[1][1] + grid[2][0], grid == std::vector(grid));
}
