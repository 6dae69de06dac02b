// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// A sequence lock: one writer updates two values once, N readers try once each; attempts that fail do not count.
// BUG: readers do not look whether an update is under way.
#include "bench.h"

#ifndef N
#define N 8
#endif

static atomic_int sequence, first, second;

static void *update(void *argument) {
    atomic_store(&sequence, 1);
    atomic_store(&first, 1);
    atomic_store(&second, 1);
    atomic_store(&sequence, 2);
    return NULL;
}

static void *look(void *argument) {
    int before = atomic_load(&sequence);
#ifndef BUG
    __VERIFIER_assume((before & 1) == 0);
#endif
    int seen_first = atomic_load(&first);
    int seen_second = atomic_load(&second);
    __VERIFIER_assume(atomic_load(&sequence) == before);
    assert(seen_first == seen_second);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    threads[0] = start(update, 0);
    for (int i = 1; i <= N; i++)
        threads[i] = start(look, i);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
