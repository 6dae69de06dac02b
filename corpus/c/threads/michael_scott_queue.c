// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: received 8, sum 68, in order 1
// native: same
//
// The lock-free queue of Michael and Scott: two producers, one consumer; each producer's values stay in order.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[9];
static _Atomic(struct node *) head = &nodes[8], tail = &nodes[8];

static void enqueue(struct node *node) {
    node->next = NULL;
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (last != tail)
            continue;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (first != head)
            continue;
        if (!next)
            return -1;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static void *produce(void *argument) {
    int me = *(int *)argument;
    for (int i = 0; i < 4; i++) {
        nodes[me * 4 + i].value = me * 10 + i + 2;
        enqueue(&nodes[me * 4 + i]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1}, last[2] = {0, 0}, received = 0, sum = 0, ordered = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, produce, &numbers[i]);
    while (received < 8) {
        int value;
        while ((value = dequeue()) < 0)
            sched_yield();
        ordered &= value > last[value >= 12];
        last[value >= 12] = value;
        sum += value;
        received++;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("received %d, sum %d, in order %d\n", received, sum, ordered);
    return 0;
}
