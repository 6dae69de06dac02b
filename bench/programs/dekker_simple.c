// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 16
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// Two threads enter a critical section N times each; a thread that finds the other's flag raised gives up.
// BUG: one thread looks before it raises its own flag.
#include "bench.h"

#ifndef N
#define N 200
#endif

static atomic_int left_flag, right_flag, inside;

static void *left(void *argument) {
    for (int i = 0; i < N; i++) {
#ifdef BUG
        if (atomic_load(&right_flag) != 0)
            return NULL;
        atomic_store(&left_flag, 1);
#else
        atomic_store(&left_flag, 1);
        if (atomic_load(&right_flag) != 0)
            return NULL;
#endif
        atomic_store(&inside, 2);
        assert(atomic_load(&inside) == 2);
        atomic_store(&left_flag, 0);
    }
    return NULL;
}

static void *right(void *argument) {
    for (int i = 0; i < N; i++) {
        atomic_store(&right_flag, 1);
        if (atomic_load(&left_flag) != 0)
            return NULL;
        atomic_store(&inside, 1);
        assert(atomic_load(&inside) == 1);
        atomic_store(&right_flag, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(left, 0), second = start(right, 1);
    join(first);
    join(second);
    return 0;
}
