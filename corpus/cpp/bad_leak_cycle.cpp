// selvedge: run --leaks
// cflags: -std=c++20
// expect: violation leak

// Two shared pointers that own each other.

#include <cstdio>
#include <memory>

struct Knot {
    std::shared_ptr<Knot> other;
};

int main() {
    auto left = std::make_shared<Knot>();
    auto right = std::make_shared<Knot>();
    left->other = right;
    right->other = left;
    std::printf("owners %ld %ld\n", left.use_count(), right.use_count());
}
