// selvedge: check --model rc11
// expect: violation data-race
//
// A node is published by a relaxed exchange: who finds it may not know that it was allocated, nor what its atomic part was
// given.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};

static _Atomic(struct node *) top;

static void *publish(void *unused) {
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->value, 1, memory_order_relaxed);
    atomic_exchange_explicit(&top, node, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    int value = node ? atomic_load_explicit(&node->value, memory_order_relaxed) : 1;
    pthread_join(thread, NULL);
    return value != 1;
}
