// selvedge: run --leaks
// expect: exit 0
// seeds: 3
// stdout: sum 10
// native: same
//
// The passing twin: everything that was allocated, in both threads, is given back.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void *build(void *unused) {
    struct node *list = NULL;
    for (int i = 1; i <= 4; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = list;
        list = node;
    }
    (void)unused;
    return list;
}

int main(void) {
    pthread_t thread;
    void *list;
    int sum = 0;
    pthread_create(&thread, NULL, build, NULL);
    pthread_join(thread, &list);
    for (struct node *node = list, *next; node; node = next) {
        next = node->next;
        sum += node->value;
        free(node);
    }
    printf("sum %d\n", sum);
    return 0;
}
