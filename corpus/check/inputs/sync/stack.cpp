// selvedge: check
// expect: verified
// selvedge: check --model pso
// expect: verified
// selvedge: check --cflags=-DBAD
// expect: violation assertion
//
// A stack without locks: a node is shown to others by a compare-exchange, if that succeeds.
#include <atomic>
#include <selvedge.h>
#include <thread>

struct Node {
    int value;
    Node *next;
};

static std::atomic<Node *> head{nullptr};

static void push(int value) {
    Node *node = new Node{value, head.load()};
    while (!head.compare_exchange_weak(node->next, node)) {
    }
}

int main() {
    int n = selvedge_any_int();
    selvedge_assume(n > 0 && n < 100);
    std::thread other([&] { push(n); });
    push(2 * n);
    other.join();
    int sum = 0, count = 0;
    for (Node *node = head; node;) {
        sum += node->value;
        count++;
        Node *next = node->next;
        delete node;
        node = next;
    }
#ifdef BAD
    selvedge_assert(sum != 150);
#endif
    selvedge_assert(count == 2 && sum == 3 * n);
    return 0;
}
