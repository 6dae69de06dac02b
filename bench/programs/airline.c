// selvedge: check --cflags=-DN=2
// expect: verified
//
// N agents sell the seats of a flight with one seat fewer, and stop the sale when all are sold.
#include "bench.h"

#ifndef N
#define N 3
#endif

static atomic_int sold, stopped;

static void *sell(void *argument) {
    if (atomic_load(&stopped))
        return NULL;
    int before = atomic_load(&sold);
    atomic_store(&sold, before + 1);
    if (atomic_load(&sold) > N - 2)
        atomic_store(&stopped, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(sell, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
