// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// N threads set two values one after the other, a reader looks at both.
// BUG: the reader believes that both change together.
#include "bench.h"

#ifndef N
#define N 8
#endif

static atomic_int a, b;

static void *set(void *argument) {
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return NULL;
}

static void *look(void *argument) {
    int seen_a = atomic_load(&a);
    int seen_b = atomic_load(&b);
#ifdef BUG
    assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
#else
    assert(seen_a <= 1 && seen_b >= -1);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        threads[i] = start(set, i);
    threads[N] = start(look, N);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
