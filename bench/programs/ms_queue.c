// selvedge: check --cflags=-DN=1
// expect: verified
// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// The queue of Michael and Scott over nodes with numbers; N threads put one value each, N try to take one each.
// BUG: a node is linked before its value is there.
#include "bench.h"

#ifndef N
#define N 3
#endif
#define NONE (-1)

static atomic_int head, tail, link_of[N + 1], value_of[N + 1];

static int exchange(atomic_int *place, int from, int to) {
    return atomic_compare_exchange_strong(place, &from, to);
}

static void *put(void *argument) {
    int me = number_of(argument);
#ifndef BUG
    atomic_store(&value_of[me], me);
#endif
    atomic_store(&link_of[me], NONE);
    for (;;) {
        int last = atomic_load(&tail);
        int next = atomic_load(&link_of[last]);
        if (last != atomic_load(&tail))
            continue;
        if (next != NONE) {
            exchange(&tail, last, next);
        } else if (exchange(&link_of[last], NONE, me)) {
            exchange(&tail, last, me);
            break;
        }
    }
#ifdef BUG
    atomic_store(&value_of[me], me);
#endif
    return NULL;
}

static void *take(void *argument) {
    for (;;) {
        int first = atomic_load(&head);
        int last = atomic_load(&tail);
        int next = atomic_load(&link_of[first]);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (next == NONE)
                return NULL;
            exchange(&tail, last, next);
        } else {
            int value = atomic_load(&value_of[next]);
            if (exchange(&head, first, next)) {
                assert(value > 0);
                return NULL;
            }
        }
    }
}

int main(void) {
    pthread_t threads[2 * N];
    for (int i = 0; i <= N; i++)
        atomic_store(&link_of[i], NONE);
    for (int i = 0; i < N; i++)
        threads[i] = start(put, i + 1);
    for (int i = 0; i < N; i++)
        threads[N + i] = start(take, i);
    for (int i = 0; i < 2 * N; i++)
        join(threads[i]);
    return 0;
}
