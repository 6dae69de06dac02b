// selvedge: check
// expect: violation assertion line 55
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// A ring between one producer and one consumer without a lock. The producer announces an item before it is in its
// slot.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { CAPACITY = 2, ITEMS = 4 };

static atomic_int slots[CAPACITY];
static atomic_uint head, tail;

static bool enqueue(int item) {
    unsigned at = atomic_load(&tail);
    if (at - atomic_load(&head) == CAPACITY)
        return false;
#ifdef FIXED
    atomic_store(&slots[at % CAPACITY], item);
    atomic_store(&tail, at + 1);
#else
    atomic_store(&tail, at + 1);
    atomic_store(&slots[at % CAPACITY], item);
#endif
    return true;
}

static bool dequeue(int *item) {
    unsigned at = atomic_load(&head);
    if (at == atomic_load(&tail))
        return false;
    *item = atomic_load(&slots[at % CAPACITY]);
    atomic_store(&head, at + 1);
    return true;
}

static void *produce(void *unused) {
    for (int item = 1; item <= ITEMS; item++)
        while (!enqueue(item))
            ;
    return unused;
}

static void *consume(void *unused) {
    for (int expected = 1; expected <= ITEMS; expected++) {
        int item = 0;
        while (!dequeue(&item))
            ;
        assert(item == expected);
    }
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
