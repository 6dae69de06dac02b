// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// Test and test-and-set; N threads increment a counter under it.
// BUG: the lock is taken by a store.
#include "bench.h"

#ifndef N
#define N 5
#endif

static atomic_int taken, counter;

static void *work(void *argument) {
    for (;;) {
        while (atomic_load(&taken))
            ;
#ifdef BUG
        atomic_store(&taken, 1);
        break;
#else
        if (!atomic_exchange(&taken, 1))
            break;
#endif
    }
    int value = atomic_load(&counter);
    atomic_store(&counter, value + 1);
    atomic_store(&taken, 0);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(work, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    assert(atomic_load(&counter) == N);
    return 0;
}
