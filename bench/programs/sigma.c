// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=3 -DBUG"
// expect: violation assertion
//
// N threads take the next place of an array each and fill it.
// BUG: main moves the index on, whether or not the thread before has looked.
#include "bench.h"

#ifndef N
#define N 9
#endif

static atomic_int places[N], next;

static void *fill(void *argument) {
#ifdef BUG
    int mine = atomic_load(&next);
#else
    int mine = atomic_fetch_add(&next, 1);
#endif
    atomic_store(&places[mine], 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        threads[i] = start(fill, i);
#ifdef BUG
        if (i + 1 < N)
            atomic_store(&next, i + 1);
#endif
    }
    for (int i = 0; i < N; i++)
        join(threads[i]);
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += atomic_load(&places[i]);
    assert(sum == N);
    return 0;
}
