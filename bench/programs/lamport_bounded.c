// selvedge: check --count-views --model sc --cflags=-DN=1
// expect: verified classes 187
// selvedge: check --count-views --model tso --cflags=-DN=1
// expect: verified classes 189
// selvedge: check --count-views --model pso --cflags=-DN=1
// expect: verified classes 633
// slow: stores of two threads leave their buffers in many orders
// selvedge: check --count-views --cflags='-DN=1 -DSLIP'
// expect: verified classes 121
//
// Lamport's fast mutual exclusion for two, once; loops are left when they were gone round more than N times.
// SLIP: the second thread as in the version that was measured, which stores 1 and waits for itself.
#include "bench.h"

#ifndef N
#define N 10
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int busy[2], first, gate, inside;

static void wait_for(atomic_int *place, int *rounds) {
    while (load(place) != 0) {
        if ((*rounds)++ > N)
            break;
    }
}

static void enter(int me, int other, int number, int stored) {
    int rounds = 0, gates = 0, others = 0, again = 0;
    while (rounds++ <= N) {
        store(&busy[me], 1);
        store(&first, number);
        if (load(&gate) != 0) {
            store(&busy[me], 0);
            wait_for(&gate, &gates);
            continue;
        }
        store(&gate, stored);
        if (load(&first) == number)
            return;
        store(&busy[me], 0);
        wait_for(&busy[other], &others);
        if (load(&gate) == number)
            return;
        wait_for(&gate, &again);
    }
}

static void *work(void *argument) {
    int me = number_of(argument);
#ifdef SLIP
    enter(me, 1, me + 1, 1);
#else
    enter(me, 1 - me, me + 1, me + 1);
#endif
    store(&inside, me + 1);
    (void)load(&inside);
    store(&gate, 0);
    store(&busy[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
