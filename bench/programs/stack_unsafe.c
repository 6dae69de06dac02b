// selvedge: check --cflags=-DN=2
// expect: verified
//
// One thread pushes, one pops, N times each, under a lock; whether there is something to be popped is looked at before
// the lock is taken.
#include "bench.h"

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int top, places[N];

static void *push(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        int at = atomic_load(&top);
        atomic_store(&places[at], i + 1);
        atomic_store(&top, at + 1);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *pop(void *argument) {
    for (int i = 0; i < N; i++) {
        if (atomic_load(&top) == 0)
            continue;
        pthread_mutex_lock(&lock);
        int at = atomic_load(&top) - 1;
        (void)atomic_load(&places[at]);
        atomic_store(&top, at);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(push, 0), second = start(pop, 1);
    join(first);
    join(second);
    return 0;
}
