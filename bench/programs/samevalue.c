// selvedge: check --cflags=-DN=4
// expect: verified
// selvedge: check --count-views --cflags=-DN=4
// expect: verified classes 3
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// N writers of the same value; a reader that reads twice never goes back.
// BUG: the reader believes that nothing changes between its reads.
#include "bench.h"

#ifndef N
#define N 20
#endif

static atomic_int x;

static void *write_one(void *argument) {
    atomic_store(&x, 1);
    return NULL;
}

static void *look_twice(void *argument) {
    int first = atomic_load(&x);
    int second = atomic_load(&x);
#ifdef BUG
    assert(first == second);
#else
    assert(first <= second);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        threads[i] = start(write_one, i);
    threads[N] = start(look_twice, N);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
