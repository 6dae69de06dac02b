// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// Treiber's stack over nodes with numbers; N threads push one node each, N try to pop one each.
// BUG: who pops sets the top without looking whether it is still the same.
#include "bench.h"

#ifndef N
#define N 3
#endif

static atomic_int top, below[N + 1], taken[N + 1];

static int exchange(atomic_int *place, int from, int to) {
    return atomic_compare_exchange_strong(place, &from, to);
}

static void *push(void *argument) {
    int me = number_of(argument);
    for (;;) {
        int seen = atomic_load(&top);
        atomic_store(&below[me], seen);
        if (exchange(&top, seen, me))
            return NULL;
    }
}

static int pop(void) {
    for (;;) {
        int seen = atomic_load(&top);
        if (seen == 0)
            return 0;
        int next = atomic_load(&below[seen]);
#ifdef BUG
        atomic_store(&top, next);
        return seen;
#else
        if (exchange(&top, seen, next))
            return seen;
#endif
    }
}

static void *take(void *argument) {
    int node = pop();
    if (node != 0)
        atomic_fetch_add(&taken[node], 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2 * N];
    for (int i = 0; i < N; i++)
        threads[i] = start(push, i + 1);
    for (int i = 0; i < N; i++)
        threads[N + i] = start(take, i);
    for (int i = 0; i < 2 * N; i++)
        join(threads[i]);
    for (int node = pop(); node != 0; node = pop())
        atomic_fetch_add(&taken[node], 1);
    for (int i = 1; i <= N; i++)
        assert(atomic_load(&taken[i]) == 1);
    return 0;
}
