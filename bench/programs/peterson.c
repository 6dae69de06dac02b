// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --count-views --cflags=-DN=2
// expect: verified classes 121
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// Peterson's algorithm, N rounds; a thread that would have to wait gives up.
// BUG: the turn is given away before the flag is raised.
#include "bench.h"

#ifndef N
#define N 100
#endif

static atomic_int wants[2], turn, inside;

static void *work(void *argument) {
    int me = number_of(argument), other = 1 - me;
    for (int i = 0; i < N; i++) {
#ifdef BUG
        atomic_store(&turn, other);
        atomic_store(&wants[me], 1);
#else
        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
#endif
        int contended = atomic_load(&wants[other]), waits = atomic_load(&turn) == other;
        if (contended && waits)
            return NULL;
        atomic_store(&inside, 2 - me);
        assert(atomic_load(&inside) == 2 - me);
        atomic_store(&wants[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
