// selvedge: check
// expect: violation memory line 31
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A lock-free stack that gives a node back to the heap as soon as it is popped, while another thread may be about to
// follow its link.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;
static struct node *popped[2];

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    struct node *seen = atomic_load(&top);
    do
        atomic_store(&node->next, seen);
    while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static struct node *pop(void) {
    struct node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen, atomic_load(&seen->next)))
        ;
    return seen;
}

static void *consumer(void *number) {
    int me = (int)(long)number;
#ifdef FIXED
    popped[me] = pop();
#else
    free(pop());
    popped[me] = NULL;
#endif
    return NULL;
}

int main(void) {
    pthread_t consumers[2];
    push(1);
    push(2);
    push(3);
    for (long i = 0; i < 2; i++)
        pthread_create(&consumers[i], NULL, consumer, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(consumers[i], NULL);
    for (int i = 0; i < 2; i++)
        free(popped[i]);
    free(pop());
    return 0;
}
