// selvedge: check --count-views --model sc --cflags=-DN=1
// expect: verified classes 36
// selvedge: check --count-views --model tso --cflags=-DN=1
// expect: verified classes 36
// selvedge: check --count-views --model pso --cflags=-DN=1
// expect: verified classes 36
// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 80
//
// Peterson's algorithm for two, once; who waits gives up when it has looked more than N + 1 times. Nothing is checked:
// the table counts what can be read.
#include "bench.h"

#ifndef N
#define N 10
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int flag[2], turn, inside;

static void *work(void *argument) {
    int me = number_of(argument), other = 1 - me, rounds = 0;
    store(&flag[me], 1);
    store(&turn, 2 - me);
    while (load(&flag[other]) == 1) {
        if (load(&turn) != 2 - me || rounds++ > N)
            break;
    }
    store(&inside, me + 1);
    store(&flag[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
