// selvedge: check --cflags=-DN=1
// expect: verified
// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation memory
//
// Treiber's stack; N threads push one node each, N try to pop one each. Nodes are freed at the end.
// BUG: who pops a node frees it at once, while others may still follow its link.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif

struct Node {
    int value;
    Node *next;
};

class Stack {
    std::atomic<Node *> top{nullptr};

public:
    void push(int value) {
        Node *node = new Node{value, top.load()};
        while (!top.compare_exchange_strong(node->next, node))
            ;
    }

    Node *pop() {
        Node *node = top.load();
        while (node != nullptr && !top.compare_exchange_strong(node, node->next))
            ;
        return node;
    }
};

int main() {
    Stack stack;
    std::array<int, N + 1> found{};
    std::array<Node *, N> popped{};
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back([&, i] { stack.push(i + 1); });
    for (int i = 0; i < N; i++)
        threads.emplace_back([&, i] {
            Node *node = stack.pop();
#ifdef BUG
            delete node;
#else
            popped[i] = node;
#endif
        });
    for (std::thread &thread : threads)
        thread.join();
    for (Node *node : popped)
        if (node != nullptr) {
            found[node->value]++;
            delete node;
        }
    while (Node *node = stack.pop()) {
        found[node->value]++;
        delete node;
    }
#ifndef BUG
    for (int i = 1; i <= N; i++)
        assert(found[i] == 1);
#endif
}
