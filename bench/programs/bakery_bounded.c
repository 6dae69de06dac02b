// selvedge: check --count-views --model sc --cflags=-DN=1
// expect: verified classes 194
// selvedge: check --count-views --model tso --cflags=-DN=1
// expect: verified classes 496
// selvedge: check --count-views --model pso --cflags=-DN=1
// expect: verified classes 624
// slow: stores of two threads leave their buffers in many orders
//
// Lamport's bakery for two, once; loops that wait are left when they were gone round more than N times. Equal numbers are
// not told apart, as in the version that was measured.
#include "bench.h"

#ifndef N
#define N 10
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int entering[2], ticket[2], inside;

static void *work(void *argument) {
    int me = number_of(argument), highest = 0, looks = 0, waits = 0;
    store(&entering[me], 1);
    for (int j = 0; j < 2; j++) {
        if (load(&ticket[j]) > highest)
            highest = load(&ticket[j]);
    }
    store(&ticket[me], highest + 1);
    store(&entering[me], 0);
    for (int j = 0; j < 2; j++) {
        while (load(&entering[j]) == 1) {
            if (looks++ > N)
                break;
        }
        while (load(&ticket[j]) != 0) {
            int theirs = load(&ticket[j]);
            if (theirs >= load(&ticket[me]) || waits++ > N)
                break;
        }
    }
    store(&inside, me + 1);
    store(&ticket[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
