// selvedge: check --cflags=-DN=4
// expect: verified
// selvedge: check --count-views --cflags=-DN=4
// expect: verified classes 21
//
// N writers of their numbers; one more writes N and then reads twice.
#include "bench.h"

#ifndef N
#define N 150
#endif

static atomic_int x = 1;

static void *leave_number(void *argument) {
    atomic_store(&x, number_of(argument));
    return NULL;
}

static void *write_and_look(void *argument) {
    atomic_store(&x, N);
    assert(atomic_load(&x) <= N);
    assert(atomic_load(&x) <= N);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        threads[i] = start(leave_number, i);
    threads[N] = start(write_and_look, N);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
