// selvedge: run
// expect: violation memory line 17
//
// The list ends earlier than the loop.
#include <stdio.h>

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node third = {NULL, 3}, second = {&third, 2}, first = {&second, 1};
    struct node *node = &first;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += node->value; // fault: there is no fourth node
        node = node->next;
    }
    printf("%d\n", sum);
    return 0;
}
