// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same

// Sorting, searching, partitions, heaps, permutations, numeric algorithms, ranges and views.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

template <typename Range>
static void show(const char* name, Range&& range) {
    std::printf("%s:", name);
    for (auto x : range) std::printf(" %d", int(x));
    std::printf("\n");
}

int main() {
    std::vector<int> numbers(60);
    unsigned state = 12345;
    for (int& n : numbers) n = int((state = state * 1103515245 + 12345) >> 16 & 1023);
    std::vector<int> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    std::printf("%d %d %d sorted %d\n", sorted[0], sorted[30], sorted[59],
                std::is_sorted(sorted.begin(), sorted.end()));
    std::vector<int> stable = numbers;
    std::stable_sort(stable.begin(), stable.end(), [](int a, int b) { return a % 10 < b % 10; });
    show("stable", std::views::take(stable, 8));
    std::nth_element(numbers.begin(), numbers.begin() + 10, numbers.end());
    std::printf("nth %d same %d\n", numbers[10], numbers[10] == sorted[10]);
    std::printf("bounds %ld %ld %d\n", std::lower_bound(sorted.begin(), sorted.end(), 500) - sorted.begin(),
                std::upper_bound(sorted.begin(), sorted.end(), 900) - sorted.begin(),
                std::binary_search(sorted.begin(), sorted.end(), sorted[7]));

    std::vector<int> small{5, 3, 9, 1, 7};
    std::make_heap(small.begin(), small.end());
    std::pop_heap(small.begin(), small.end());
    std::printf("heap top %d\n", small.back());
    std::partial_sort(small.begin(), small.begin() + 2, small.end());
    std::printf("two smallest %d %d\n", small[0], small[1]);
    auto middle = std::partition(small.begin(), small.end(), [](int x) { return x > 4; });
    std::printf("partition %ld\n", middle - small.begin());
    std::string word = "abc";
    do std::printf("%s ", word.c_str());
    while (std::next_permutation(word.begin(), word.end()));
    std::printf("\n");

    std::vector<int> a{1, 2, 4, 6}, b{2, 3, 4}, out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    show("sets", out);
    std::rotate(out.begin(), out.begin() + 3, out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    show("rotated", out);
    std::vector<int> sums(4);
    std::partial_sum(a.begin(), a.end(), sums.begin(), std::multiplies<>());
    show("products", sums);
    std::printf("inner %d gcd %d minmax %d %d\n", std::inner_product(b.begin(), b.end(), a.begin(), 0),
                std::gcd(84, 36),
                *std::minmax_element(a.begin(), a.end()).first, *std::max_element(a.begin(), a.end()));
    auto even = std::views::iota(1, 20) | std::views::filter([](int x) { return x % 2 == 0; }) |
                std::views::transform([](int x) { return x * x; }) | std::views::reverse | std::views::take(4);
    show("view", even);
    std::ranges::sort(a, std::greater{});
    std::printf("ranges %d %d\n", a[0], std::ranges::find(a, 4) != a.end());
}
