// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: count 9 sum 99 each thread's nodes in reverse 1

// A Treiber stack: weak compare-exchange in a loop, nodes freed after all threads are done.

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

struct Node {
    int value;
    Node* next;
};

class Stack {
  public:
    void push(Node* node) {
        node->next = head_.load(std::memory_order_relaxed);
        while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
        }
    }

    Node* take_all() { return head_.exchange(nullptr, std::memory_order_acquire); }

  private:
    std::atomic<Node*> head_{nullptr};
};

int main() {
    Stack stack;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&stack, t] {
            for (int i = 0; i < 3; ++i) stack.push(new Node{10 * t + i, nullptr});
        });
    for (auto& thread : threads) thread.join();
    int sum = 0, count = 0;
    bool ordered = true;
    int last[3] = {9, 9, 9};
    for (Node* node = stack.take_all(); node != nullptr;) {
        int owner = node->value / 10, index = node->value % 10;
        ordered = ordered && index < last[owner];
        last[owner] = index;
        sum += node->value;
        ++count;
        Node* next = node->next;
        delete node;
        node = next;
    }
    std::printf("count %d sum %d each thread's nodes in reverse %d\n", count, sum, ordered);
}
