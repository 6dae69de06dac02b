// selvedge: check --cflags=-DN=4
// expect: verified
// selvedge: check --count-views --cflags=-DN=4
// expect: verified classes 55
//
// N writers of their numbers, one of which is the initial value; a reader reads twice, and main once more at the end.
#include "bench.h"

#ifndef N
#define N 60
#endif

static atomic_int x;

static void *leave_number(void *argument) {
    atomic_store(&x, number_of(argument));
    return NULL;
}

static void *look_twice(void *argument) {
    assert(atomic_load(&x) < N);
    assert(atomic_load(&x) < N);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        threads[i] = start(leave_number, i);
    threads[N] = start(look_twice, N);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    assert(atomic_load(&x) < N);
    return 0;
}
