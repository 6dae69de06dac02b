// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation termination
//
// The queue lock of Mellor-Crummey and Scott; N threads increment a counter under it.
// BUG: the lock is set free although somebody may be about to queue up, who then waits for ever.
#include "bench.h"

#ifndef N
#define N 4
#endif

// Threads have numbers from 1; 0 is nobody.
static atomic_int tail, next[N + 1], waits[N + 1], counter;

static void lock(int me) {
    atomic_store(&next[me], 0);
    atomic_store(&waits[me], 1);
    int before = atomic_exchange(&tail, me);
    if (before != 0) {
        atomic_store(&next[before], me);
        while (atomic_load(&waits[me]))
            ;
    }
}

static void unlock(int me) {
    if (atomic_load(&next[me]) == 0) {
#ifdef BUG
        atomic_store(&tail, 0);
        return;
#else
        int expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, 0))
            return;
        while (atomic_load(&next[me]) == 0)
            ;
#endif
    }
    atomic_store(&waits[atomic_load(&next[me])], 0);
}

static void *work(void *argument) {
    int me = number_of(argument);
    lock(me);
    int value = atomic_load(&counter);
    atomic_store(&counter, value + 1);
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 1; i <= N; i++)
        threads[i] = start(work, i);
    for (int i = 1; i <= N; i++)
        join(threads[i]);
    assert(atomic_load(&counter) == N);
    return 0;
}
