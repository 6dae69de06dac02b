// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 4
//
// N writers of different values, one reader.
#include "bench.h"

#ifndef N
#define N 20
#endif

static atomic_int x;

static void *leave_number(void *argument) {
    atomic_store(&x, number_of(argument));
    return NULL;
}

static void *look(void *argument) {
    int seen = atomic_load(&x);
    assert(seen <= N);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    threads[0] = start(look, 0);
    for (int i = 1; i <= N; i++)
        threads[i] = start(leave_number, i);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
