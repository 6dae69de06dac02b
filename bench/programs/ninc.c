// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// N threads increment a counter by a load and a store.
// BUG: main believes that no increment is lost.
#include "bench.h"

#ifndef N
#define N 8
#endif

static atomic_int counter;

static void *increment(void *argument) {
    int value = atomic_load(&counter);
    atomic_store(&counter, value + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(increment, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
#ifdef BUG
    assert(atomic_load(&counter) == N);
#else
    assert(atomic_load(&counter) >= 1);
#endif
    return 0;
}
