// selvedge: check --count-views --cflags=-DN=5
// expect: verified classes 5
//
// N writers of their numbers, one of which is the initial value; main looks who was last.
#include "bench.h"

#ifndef N
#define N 250
#endif

static atomic_int x;

static void *leave_number(void *argument) {
    atomic_store(&x, number_of(argument));
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(leave_number, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    assert(atomic_load(&x) < N);
    return 0;
}
