// selvedge: check --cflags=-DN=2
// expect: verified
//
// N clients borrow one of two things from a pool and return it, each under the lock; the pool is closed meanwhile.
#include "bench.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int idle = 2, closed;

static void *client(void *argument) {
    int borrowed = 0;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&closed) && atomic_load(&idle) > 0) {
        borrowed = 1;
        atomic_store(&idle, atomic_load(&idle) - 1);
    }
    pthread_mutex_unlock(&lock);
    if (!borrowed)
        return NULL;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&closed))
        atomic_store(&idle, atomic_load(&idle) + 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(client, i);
    pthread_mutex_lock(&lock);
    atomic_store(&closed, 1);
    atomic_store(&idle, 0);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
