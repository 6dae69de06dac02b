// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=3 -DBUG"
// expect: violation assertion
//
// A sender and a receiver try N times each to use one ring; flags under the lock say who may.
// BUG: the sender may send once only until the receiver has looked, and the receiver believes that none was skipped.
#include "bench.h"

#ifndef N
#define N 9
#endif
#define SLOTS (N + 1)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int first, next, size, ring[SLOTS], may_send = 1, may_receive;

static void *sender(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (atomic_load(&may_send)) {
            int slot = atomic_load(&next);
            atomic_store(&ring[slot], i);
            atomic_store(&next, (slot + 1) % SLOTS);
            atomic_store(&size, atomic_load(&size) + 1);
#ifdef BUG
            atomic_store(&may_send, 0);
#endif
            atomic_store(&may_receive, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *receiver(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (atomic_load(&may_receive)) {
            int filled = atomic_load(&size);
            if (filled > 0) {
                int slot = atomic_load(&first);
                int value = atomic_load(&ring[slot]);
                atomic_store(&first, (slot + 1) % SLOTS);
                atomic_store(&size, filled - 1);
#ifdef BUG
                assert(value == i);
#else
                assert(value >= 0 && value < N);
#endif
            }
            atomic_store(&may_receive, atomic_load(&size) > 0);
            atomic_store(&may_send, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t one = start(sender, 0), other = start(receiver, 1);
    join(one);
    join(other);
    return 0;
}
