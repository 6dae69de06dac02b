// selvedge: check --cflags=-DN=4
// expect: verified
//
// N threads make each place of an array one more than the place before; a reader looks for the last zero.
#include "bench.h"

#ifndef N
#define N 13
#endif

static atomic_int places[N + 1];

static void *find_zero(void *argument) {
    int i = N;
    while (atomic_load(&places[i]) != 0)
        i--;
    return NULL;
}

static void *step_up(void *argument) {
    int me = number_of(argument);
    int before = atomic_load(&places[me - 1]);
    atomic_store(&places[me], before + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    threads[0] = start(find_zero, 0);
    for (int i = 1; i <= N; i++)
        threads[i] = start(step_up, i);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
