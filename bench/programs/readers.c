// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 8
//
// One writer, N readers.
#include "bench.h"

#ifndef N
#define N 18
#endif

static atomic_int x;

static void *write_one(void *argument) {
    atomic_store(&x, 1);
    return NULL;
}

static void *look(void *argument) {
    int seen = atomic_load(&x);
    assert(seen < 2);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    threads[0] = start(write_one, 0);
    for (int i = 1; i <= N; i++)
        threads[i] = start(look, i);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
