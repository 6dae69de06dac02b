// selvedge: run
// cflags: -std=c++20
// expect: violation memory line 16

// A null pointer is followed at the end of a list.

#include <cstdio>

struct Node {
    int value;
    Node* next;
};

static int third(const Node* node) {
    for (int i = 0; i < 2; ++i) node = node->next;
    return node->value;  // fault: the list has two nodes
}

int main() {
    Node second{2, nullptr}, first{1, &second};
    std::printf("next %d\n", first.next->value);
    std::printf("third %d\n", third(&first));
}
