// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// A ticket lock; N threads increment a counter under it.
// BUG: tickets are drawn by a load and a store.
#include "bench.h"

#ifndef N
#define N 4
#endif

static atomic_int next, serving, counter;

static void *work(void *argument) {
#ifdef BUG
    int mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
#else
    int mine = atomic_fetch_add(&next, 1);
#endif
    while (atomic_load(&serving) != mine)
        ;
    int value = atomic_load(&counter);
    atomic_store(&counter, value + 1);
    atomic_store(&serving, mine + 1);
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
