// selvedge: check --count-views --cflags='-DN=3 -DM=2'
// expect: verified classes 36
//
// N threads count themselves; who sees that it was the first counts on, M times.
#include "bench.h"

#ifndef N
#define N 5
#endif

#ifndef M
#define M 5
#endif

static atomic_int count, sum;

static void *work(void *argument) {
    atomic_fetch_add(&count, 1);
    if (atomic_load(&count) != 1)
        return NULL;
    for (int i = 1; i <= M; i++) {
        atomic_store(&sum, atomic_load(&sum) + 1);
        assert(atomic_load(&sum) == i);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(work, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
