// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 25
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// Burns' algorithm for two threads, N rounds; a thread that is not let in gives up.
// BUG: the second thread does not look again after it has raised its flag.
#include "bench.h"

#ifndef N
#define N 60
#endif

static atomic_int first_flag, second_flag, inside;

static void *first(void *argument) {
    for (int i = 0; i < N; i++) {
        atomic_store(&first_flag, 0);
        atomic_store(&first_flag, 1);
        if (atomic_load(&second_flag) == 1)
            return NULL;
        atomic_store(&inside, 0);
        assert(atomic_load(&inside) == 0);
        atomic_store(&first_flag, 0);
    }
    return NULL;
}

static void *second(void *argument) {
    for (int i = 0; i < N; i++) {
        atomic_store(&second_flag, 0);
        if (atomic_load(&first_flag) == 1)
            return NULL;
        atomic_store(&second_flag, 1);
#ifndef BUG
        if (atomic_load(&first_flag) == 1)
            return NULL;
#endif
        atomic_store(&inside, 1);
        assert(atomic_load(&inside) == 1);
        atomic_store(&second_flag, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t one = start(first, 0), two = start(second, 1);
    join(one);
    join(two);
    return 0;
}
