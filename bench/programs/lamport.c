// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// Lamport's fast mutual exclusion for two threads, N rounds each, with real waiting and starting over.
// BUG: a thread that was overtaken does not wait for the other one to take note.
#include "bench.h"

#ifndef N
#define N 4
#endif

static atomic_int busy[3], first, gate, inside;

static void enter(int me) {
    for (;;) {
        atomic_store(&busy[me], 1);
        atomic_store(&first, me);
        if (atomic_load(&gate) != 0) {
            atomic_store(&busy[me], 0);
            while (atomic_load(&gate) != 0)
                ;
            continue;
        }
        atomic_store(&gate, me);
        if (atomic_load(&first) == me)
            return;
        atomic_store(&busy[me], 0);
#ifndef BUG
        for (int j = 1; j <= 2; j++)
            while (atomic_load(&busy[j]))
                ;
#endif
        if (atomic_load(&gate) == me)
            return;
        while (atomic_load(&gate) != 0)
            ;
    }
}

static void *work(void *argument) {
    int me = number_of(argument);
    for (int i = 0; i < N; i++) {
        enter(me);
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
        atomic_store(&gate, 0);
        atomic_store(&busy[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t one = start(work, 1), two = start(work, 2);
    join(one);
    join(two);
    return 0;
}
