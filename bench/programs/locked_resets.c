// selvedge: check --count-views
// expect: verified classes 107
// selvedge: check --count-views --model tso
// expect: verified classes 107
// selvedge: check --count-views --model pso
// expect: verified classes 137
// selvedge: check --strategy se-mcr --count-views
// expect: verified classes 107 executions 107
// selvedge: check --strategy se-mcr --count-views --model pso
// expect: verified classes 137 executions 137
// selvedge: check --strategy optimal --count-views
// expect: verified classes 107 executions 1959
//
// Three threads: one sets two numbers under a lock, one resets the first under the lock and goes on from what it then
// sees, one looks at both; N rounds.
#include "bench.h"

#ifndef N
#define N 2
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *set(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        store(&x, 1);
        store(&y, 1);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *reset(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        store(&x, 0);
        pthread_mutex_unlock(&lock);
        if (load(&x) > 0) {
            store(&y, load(&y) + 1);
            store(&x, 2);
        }
    }
    return NULL;
}

static void *look(void *argument) {
    for (int i = 0; i < N; i++) {
        if (load(&x) > 1 && load(&y) != 3)
            store(&y, 2);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[] = {start(set, 0), start(reset, 1), start(look, 2)};
    for (int i = 0; i < 3; i++)
        join(threads[i]);
    return 0;
}
