// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation memory
//
// Treiber's stack of nodes on the heap; N threads push one node each, N try to pop one each. Nothing is lost, nothing
// comes twice. Nodes are freed at the end.
// BUG: who pops a node frees it at once, while others may still follow its link.
#include "bench.h"

#ifndef N
#define N 3
#endif

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;
static atomic_int taken[N + 1];
static struct node *popped[N];

static void *push(void *argument) {
    struct node *node = malloc(sizeof *node);
    node->value = number_of(argument);
    struct node *below = atomic_load(&top);
    do
        node->next = below;
    while (!atomic_compare_exchange_strong(&top, &below, node));
    return NULL;
}

static struct node *pop(void) {
    struct node *node = atomic_load(&top);
    while (node != NULL && !atomic_compare_exchange_strong(&top, &node, node->next))
        ;
    return node;
}

static void *take(void *argument) {
    struct node *node = pop();
    if (node == NULL)
        return NULL;
    atomic_fetch_add(&taken[node->value], 1);
#ifdef BUG
    free(node);
#else
    popped[number_of(argument)] = node;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2 * N];
    for (int i = 0; i < N; i++)
        threads[i] = start(push, i + 1);
    for (int i = 0; i < N; i++)
        threads[N + i] = start(take, i);
    for (int i = 0; i < 2 * N; i++)
        join(threads[i]);
    for (struct node *node = pop(); node != NULL; node = pop()) {
        atomic_fetch_add(&taken[node->value], 1);
        free(node);
    }
    for (int i = 0; i < N; i++)
        free(popped[i]);
    for (int i = 1; i <= N; i++)
        assert(atomic_load(&taken[i]) == 1);
    return 0;
}
