// selvedge: run
// expect: violation memory line 27
//
// A list is freed by a loop that reads the next pointer from the node it has just freed.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    for (struct node *node = list; node; ) {
        printf("freeing %d\n", node->value);
        free(node);
        node = node->next; // fault: node is free already
    }
    return 0;
}
