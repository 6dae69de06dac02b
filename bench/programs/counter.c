// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 140
// selvedge: check --strategy se-mcr --count-views --cflags=-DN=2
// expect: verified classes 19 executions 19
//
// One thread counts up, one down, not atomically, N times each.
#include "bench.h"

#ifndef N
#define N 5
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int count;

static void *up(void *argument) {
    for (int i = 0; i < N; i++)
        store(&count, load(&count) + 1);
    return NULL;
}

static void *down(void *argument) {
    for (int i = 0; i < N; i++)
        store(&count, load(&count) - 1);
    return NULL;
}

int main(void) {
    pthread_t first = start(up, 0), second = start(down, 1);
    join(first);
    join(second);
    return 0;
}
