// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: popped 12, sum 78
// native: same
//
// A lock-free stack: pushes by compare-exchange from three threads, then pops by all of them.
// Nodes are freed only at the end, so that no node comes back while someone looks at it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node *taken[3][12];
static int counts[3];

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

static struct node *pop(void) {
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    while (node && !atomic_compare_exchange_weak_explicit(&top, &node, node->next, memory_order_acquire,
                                                          memory_order_acquire))
        ;
    return node;
}

static void *work(void *argument) {
    int me = *(int *)argument;
    for (int i = 1; i <= 4; i++) {
        push(me * 4 + i);
        struct node *node = i % 2 ? NULL : pop();
        if (node)
            taken[me][counts[me]++] = node;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int numbers[3] = {0, 1, 2}, popped = 0, sum = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (struct node *node; (node = pop());)
        taken[0][counts[0]++] = node;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < counts[i]; j++) {
            popped++;
            sum += taken[i][j]->value;
            free(taken[i][j]);
        }
    printf("popped %d, sum %d\n", popped, sum);
    return 0;
}
