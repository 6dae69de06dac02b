// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=3 -DBUG"
// expect: violation assertion
//
// Two threads add to each other's number N times; whatever main sees meanwhile is at most a Fibonacci number.
// BUG: main believes that the number itself cannot be reached.
#include "bench.h"

#ifndef N
#define N 8
#endif

static atomic_int x = 1, y = 1;

static void *add_to_x(void *argument) {
    for (int i = 0; i < N; i++) {
        int mine = atomic_load(&x);
        atomic_store(&x, mine + atomic_load(&y));
    }
    return NULL;
}

static void *add_to_y(void *argument) {
    for (int i = 0; i < N; i++) {
        int mine = atomic_load(&y);
        atomic_store(&y, mine + atomic_load(&x));
    }
    return NULL;
}

int main(void) {
    int limit = 1, before = 1;
    for (int i = 0; i < 2 * N; i++) {
        int sum = limit + before;
        before = limit;
        limit = sum;
    }
#ifdef BUG
    limit--;
#endif
    start(add_to_x, 0);
    start(add_to_y, 1);
    int seen_x = atomic_load(&x), seen_y = atomic_load(&y);
    assert(seen_x <= limit && seen_y <= limit);
    return 0;
}
