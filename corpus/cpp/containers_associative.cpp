// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same

// map, set, multimap, unordered_map and friends: lookup, insertion, node handles, custom order and hash.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Point {
    int x, y;
    bool operator==(const Point&) const = default;
};

struct PointHash {
    std::size_t operator()(const Point& p) const { return std::hash<int>()(p.x) * 31 + std::hash<int>()(p.y); }
};

int main() {
    std::map<std::string, int> ages{{"ada", 36}, {"alan", 41}};
    ages["grace"] = 85;
    ages.try_emplace("ada", 1);
    ages.insert_or_assign("alan", 42);
    for (const auto& [name, age] : ages) std::printf("%s=%d ", name.c_str(), age);
    auto node = ages.extract("ada");
    node.key() = "lovelace";
    ages.insert(std::move(node));
    std::printf("| %d %d %s\n", ages.contains("ada"), ages.at("lovelace"), ages.lower_bound("b")->first.c_str());

    std::map<int, int> tree;
    for (int i = 0; i < 100; ++i) tree[i * 37 % 101] = i;
    for (int i = 0; i < 90; ++i) tree.erase(i);
    for (auto [key, value] : tree) std::printf("%d:%d ", key, value);
    std::printf("\n");

    std::set<int, std::greater<>> descending{3, 1, 4, 1, 5};
    for (int x : descending) std::printf("%d ", x);
    std::multimap<char, int> groups{{'b', 1}, {'a', 2}, {'b', 3}};
    auto [from, to] = groups.equal_range('b');
    for (; from != to; ++from) std::printf("b%d ", from->second);
    std::printf("%zu\n", groups.count('a'));

    std::unordered_map<int, int> squares;
    for (int i = 0; i < 1000; ++i) squares[i] = i * i;
    for (int i = 0; i < 1000; i += 2) squares.erase(i);
    std::printf("%zu %d %d\n", squares.size(), squares.count(2), squares.find(31)->second);
    std::unordered_map<std::string, std::vector<int>> index;
    std::string text = "the warp the weft the edge";
    for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
        end = std::min(text.find(' ', at), text.size());
        index[text.substr(at, end - at)].push_back(int(at));
    }
    std::printf("%zu words, the at %d %d %d\n", index.size(), index["the"][0], index["the"][1], index["the"][2]);
    std::unordered_set<Point, PointHash> points{{1, 2}, {3, 4}, {1, 2}};
    std::printf("%zu %d\n", points.size(), points.contains({3, 4}));

    std::priority_queue<int, std::vector<int>, std::greater<>> heap;
    for (int x : {5, 2, 8, 1}) heap.push(x);
    for (; !heap.empty(); heap.pop()) std::printf("%d ", heap.top());
    std::printf("\n");
}
