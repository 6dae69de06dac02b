// selvedge: run
// expect: violation memory line 32
// seeds: 5
//
// The ABA problem on the heap: a freed node's memory comes back at the same address, the stale compare-exchange
// succeeds, and the next pop follows a pointer to a node that is free.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    long value;
    struct node *next;
};

static _Atomic(struct node *) top;
static sem_t filled, in_the_middle, go_on;

static void push(long value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = top;
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static struct node *pop(int pause) {
    struct node *node = top;
    while (node) {
        struct node *after = node->next; // fault: in the second pop, node is free
        if (pause) {
            sem_post(&in_the_middle);
            sem_wait(&go_on);
            pause = 0;
        }
        if (atomic_compare_exchange_strong(&top, &node, after))
            break;
    }
    return node;
}

static void *owner(void *unused) {
    push(1);
    push(2);
    sem_post(&filled);
    sem_wait(&in_the_middle);
    struct node *a = pop(0), *b = pop(0);
    free(a);
    push(3); /* takes the memory of a */
    free(b);
    sem_post(&go_on);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    sem_init(&in_the_middle, 0, 0);
    sem_init(&go_on, 0, 0);
    pthread_create(&thread, NULL, owner, NULL);
    sem_wait(&filled);
    pop(1);
    struct node *second = pop(0);
    pthread_join(thread, NULL);
    printf("second pop found %s\n", second ? "a node" : "nothing");
    return 0;
}
