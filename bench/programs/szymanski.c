// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --count-views --cflags=-DN=1
// expect: verified classes 102
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// Szymanski's algorithm for two threads, N rounds; a thread that would have to wait gives up.
// BUG: nobody waits at the inner door.
#include "bench.h"

#ifndef N
#define N 7
#endif

// 1: in front of the waiting room, 2: waits for others, 3: in the doorway, 4: the door is closed behind it.
static atomic_int place[2], inside;

static void *work(void *argument) {
    int me = number_of(argument), other = 1 - me;
    for (int i = 0; i < N; i++) {
        atomic_store(&place[me], 1);
        if (atomic_load(&place[other]) >= 3)
            return NULL;
        atomic_store(&place[me], 3);
        if (atomic_load(&place[other]) == 1) {
            atomic_store(&place[me], 2);
            if (atomic_load(&place[other]) != 4)
                return NULL;
        }
        atomic_store(&place[me], 4);
#ifndef BUG
        if (atomic_load(&place[other]) >= 2)
            return NULL;
#endif
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
        int seen = atomic_load(&place[other]);
        if (seen == 2 || seen == 3)
            return NULL;
        atomic_store(&place[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
