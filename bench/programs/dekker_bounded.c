// selvedge: check --count-views --model sc --cflags=-DN=1
// expect: verified classes 84
// selvedge: check --count-views --model tso --cflags=-DN=1
// expect: verified classes 86
// selvedge: check --count-views --model pso --cflags=-DN=1
// expect: verified classes 154
//
// Dekker's algorithm for two, once, with a look at who is inside; loops that wait are left when they were gone round
// more than N times.
#include "bench.h"

#ifndef N
#define N 4
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int flag[2], turn = 1, inside;

static void *work(void *argument) {
    int me = number_of(argument), other = 1 - me, rounds = 0, waits = 0;
    store(&flag[me], 1);
    while (load(&flag[other]) == 1) {
        if (rounds++ > N)
            break;
        if (load(&turn) != me + 1) {
            store(&flag[me], 0);
            while (load(&turn) != me + 1) {
                if (waits++ > N)
                    break;
            }
            store(&flag[me], 1);
        }
    }
    store(&inside, me + 1);
    (void)load(&inside);
    store(&turn, other + 1);
    store(&flag[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
