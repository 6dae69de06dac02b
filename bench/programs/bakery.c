// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// Lamport's bakery for two customers, N rounds each, with real waiting.
// BUG: equal numbers are not told apart.
#include "bench.h"

#ifndef N
#define N 4
#endif

static atomic_int entering[2], ticket[2], inside;

static int is_before(int other, int me) {
    int theirs = atomic_load(&ticket[other]);
    if (theirs == 0)
        return 0;
    int mine = atomic_load(&ticket[me]);
#ifdef BUG
    return theirs < mine;
#else
    return theirs < mine || (theirs == mine && other < me);
#endif
}

static void *customer(void *argument) {
    int me = number_of(argument);
    for (int i = 0; i < N; i++) {
        atomic_store(&entering[me], 1);
        int highest = 0;
        for (int j = 0; j < 2; j++) {
            int theirs = atomic_load(&ticket[j]);
            if (theirs > highest)
                highest = theirs;
        }
        atomic_store(&ticket[me], highest + 1);
        atomic_store(&entering[me], 0);
        for (int j = 0; j < 2; j++) {
            while (atomic_load(&entering[j]))
                ;
            while (is_before(j, me))
                ;
        }
        atomic_store(&inside, me + 1);
        assert(atomic_load(&inside) == me + 1);
        atomic_store(&ticket[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(customer, 0), second = start(customer, 1);
    join(first);
    join(second);
    return 0;
}
