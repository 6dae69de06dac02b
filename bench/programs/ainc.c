// selvedge: check --cflags=-DN=4
// expect: verified
//
// N threads increment a counter atomically.
#include "bench.h"

#ifndef N
#define N 12
#endif

static atomic_int counter;

static void *increment(void *argument) {
    atomic_fetch_add(&counter, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(increment, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    assert(atomic_load(&counter) == N);
    return 0;
}
