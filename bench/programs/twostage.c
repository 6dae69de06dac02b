// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=1 -DBUG"
// expect: violation assertion
//
// N writers update two values, each under a lock of its own; a reader looks at both.
// BUG: the reader believes that the second follows the first at once.
#include "bench.h"

#ifndef N
#define N 7
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int first, second;

static void *update(void *argument) {
    pthread_mutex_lock(&first_lock);
    atomic_store(&first, 1);
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    atomic_store(&second, atomic_load(&first) + 1);
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

static void *look(void *argument) {
    pthread_mutex_lock(&first_lock);
    int seen_first = atomic_load(&first);
    pthread_mutex_unlock(&first_lock);
    if (seen_first == 0)
        return NULL;
    pthread_mutex_lock(&second_lock);
    int seen_second = atomic_load(&second);
    pthread_mutex_unlock(&second_lock);
#ifdef BUG
    assert(seen_second == seen_first + 1);
#else
    assert(seen_second == 0 || seen_second == seen_first + 1);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        threads[i] = start(update, i);
    threads[N] = start(look, N);
    for (int i = 0; i <= N; i++)
        join(threads[i]);
    return 0;
}
