// selvedge: check --count-views --cflags='-DN=3 -DT=3'
// expect: verified classes 13
// selvedge: check --strategy optimal --cflags='-DN=3 -DT=3'
// expect: verified executions 13
//
// T threads in a ring hand on a flag, each behind a latch of its own, for which it looks at most N times.
#include "bench.h"

#ifndef N
#define N 5
#endif

#ifndef T
#define T 5
#endif

static atomic_int latch[T] = {1}, flag[T] = {1};

static void *work(void *argument) {
    int me = number_of(argument), next = (me + 1) % T, got = 0;
    for (int i = 0; i < N && !got; i++)
        got = atomic_load(&latch[me]);
    if (!got)
        return NULL;
    if (atomic_load(&latch[me]))
        assert(atomic_load(&flag[me]) == 1);
    atomic_store(&latch[me], 0);
    if (atomic_load(&flag[me])) {
        atomic_store(&flag[me], 0);
        atomic_store(&flag[next], 1);
        atomic_store(&latch[next], 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[T];
    for (int i = 0; i < T; i++)
        threads[i] = start(work, i);
    for (int i = 0; i < T; i++)
        join(threads[i]);
    return 0;
}
