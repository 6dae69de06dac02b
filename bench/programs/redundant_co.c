// selvedge: check --cflags=-DN=10
// expect: verified
// selvedge: check --count-views --cflags=-DN=4
// expect: verified classes 7
// selvedge: check --cflags="-DN=3 -DDISTINCT"
// expect: verified
//
// Two threads write N times each, a third one reads twice: of the many orders of the writes few matter.
// DISTINCT: every write has a value of its own.
#include "bench.h"

#ifndef N
#define N 1000
#endif

#ifdef DISTINCT
#define VALUE(writer, i) ((writer) + 2 * (i))
#define HIGHEST (2 * N)
#else
#define VALUE(writer, i) (writer)
#define HIGHEST 2
#endif

static atomic_int x;

static void *write_often(void *argument) {
    int me = number_of(argument);
    for (int i = 0; i < N; i++)
        atomic_store(&x, VALUE(me, i));
    return NULL;
}

static void *look_twice(void *argument) {
    assert(atomic_load(&x) <= HIGHEST);
    assert(atomic_load(&x) <= HIGHEST);
    return NULL;
}

int main(void) {
    pthread_t first = start(write_often, 1), second = start(write_often, 2), third = start(look_twice, 3);
    join(first);
    join(second);
    join(third);
    return 0;
}
