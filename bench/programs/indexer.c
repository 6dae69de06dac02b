// selvedge: check --cflags=-DN=5
// expect: verified
// selvedge: check --cflags=-DN=12
// expect: verified
//
// N threads put four numbers each into one hash table with compare-exchange and linear probing. Up to 11 threads
// never meet.
#include "bench.h"

#ifndef N
#define N 15
#endif
#define SLOTS 128
#define PER_THREAD 4

static atomic_int table[SLOTS];

static void *fill(void *argument) {
    int me = number_of(argument);
    for (int i = 1; i <= PER_THREAD; i++) {
        int number = i * 11 + me;
        int slot = number * 7 % SLOTS;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[slot], &empty, number))
                break;
            slot = (slot + 1) % SLOTS;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(fill, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
