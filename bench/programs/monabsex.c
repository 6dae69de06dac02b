// selvedge: check --cflags=-DN=4
// expect: verified
// selvedge: check --count-views --cflags=-DN=4
// expect: verified classes 1
// selvedge: check --cflags="-DN=3 -DBUG"
// expect: violation assertion
//
// N threads write the same value and must find it.
// BUG: everybody writes a value of its own.
#include "bench.h"

#ifndef N
#define N 500
#endif

static atomic_int x;

static void *write_and_look(void *argument) {
#ifdef BUG
    int value = number_of(argument);
#else
    int value = N;
#endif
    atomic_store(&x, value);
    assert(atomic_load(&x) == value);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(write_and_look, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
