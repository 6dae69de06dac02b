// selvedge: check --cflags=-DN=3
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// A stack in an array under a lock; one thread pushes N times, the other tries to pop N times.
// BUG: the popper believes that there is always something.
#include "bench.h"

#ifndef N
#define N 6
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int top, slots[N + 1];

static void *push(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        int height = atomic_load(&top);
        assert(height < N);
        atomic_store(&slots[height], i + 1);
        atomic_store(&top, height + 1);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *pop(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        int height = atomic_load(&top);
#ifdef BUG
        assert(height > 0);
#endif
        if (height > 0) {
            int value = atomic_load(&slots[height - 1]);
            assert(value > 0);
            atomic_store(&top, height - 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t one = start(push, 0), other = start(pop, 1);
    join(one);
    join(other);
    return 0;
}
