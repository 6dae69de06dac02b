// selvedge: run
// cflags: -std=c++20 -D_LIBCPP_DISABLE_DEPRECATION_WARNINGS
// expect: exit 0
// seeds: 4
// native: same
// stdout: 1 1
// stdout: 3 1
// stdout: destroyed 31 count 1 2
// stdout: destroyed 41 expired 1
// stdout: 1 3 1
// stdout: ordered 1 last 3

// unique_ptr, shared_ptr and weak_ptr, shared by threads; atomic access to a shared_ptr.

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

static std::atomic<int> destroyed{0};

struct Spool : std::enable_shared_from_this<Spool> {
    int length;
    explicit Spool(int l) : length(l) {}
    ~Spool() { destroyed.fetch_add(length); }
    std::shared_ptr<Spool> self() { return shared_from_this(); }
};

struct Node {
    int value;
    std::weak_ptr<Node> parent;
    std::vector<std::shared_ptr<Node>> children;
};

int main() {
    auto unique = std::make_unique<Spool>(1);
    std::unique_ptr<Spool> taken = std::move(unique);
    std::printf("%d %d\n", unique == nullptr, taken->length);
    taken.reset();
    std::unique_ptr<int[]> array(new int[3]{1, 2, 3});
    std::unique_ptr<FILE, int (*)(FILE*)> closer(nullptr, std::fclose);
    std::printf("%d %d\n", array[2], destroyed.load());

    auto shared = std::make_shared<Spool>(10);
    std::weak_ptr<Spool> weak = shared;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([copy = shared, weak]() mutable {
            copy.reset();
            if (auto again = weak.lock()) destroyed.fetch_add(again->length);
        });
    for (auto& thread : threads) thread.join();
    threads.clear();
    std::printf("destroyed %d count %ld %ld\n", destroyed.load(), shared.use_count(), shared->self().use_count());
    shared.reset();
    std::printf("destroyed %d expired %d\n", destroyed.load(), weak.expired());

    auto root = std::make_shared<Node>(Node{1, {}, {}});
    root->children.push_back(std::make_shared<Node>(Node{2, root, {}}));
    std::shared_ptr<int> part(root, &root->value);
    std::printf("%d %ld %d\n", root->children[0]->parent.lock()->value, root.use_count(), *part);

    std::shared_ptr<int> current = std::make_shared<int>(0);
    std::thread writer([&] {
        for (int i = 1; i <= 3; ++i) std::atomic_store(&current, std::make_shared<int>(i));
    });
    int last = 0;
    bool ordered = true;
    while (last < 3) {
        int now = *std::atomic_load(&current);
        ordered = ordered && now >= last;
        last = now;
    }
    writer.join();
    std::printf("ordered %d last %d\n", ordered, last);
}
