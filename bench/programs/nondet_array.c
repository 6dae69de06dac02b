// selvedge: check --cflags=-DN=4
// expect: verified
// selvedge: check --count-views --cflags=-DN=4
// expect: verified classes 75
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// N threads mark the place that a shared index shows and move it on, not atomically; main counts the marks.
// BUG: main believes that each thread finds a place of its own.
#include "bench.h"

#ifndef N
#define N 7
#endif

static atomic_int place, marks[N];

static void *mark(void *argument) {
    int mine = atomic_load(&place);
    atomic_store(&marks[mine], 1);
    atomic_store(&place, mine + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(mark, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += atomic_load(&marks[i]);
#ifdef BUG
    assert(sum == N);
#else
    assert(sum >= 1 && sum <= N);
#endif
    return 0;
}
