// selvedge: check --no-races --count-paths --cflags=-DROUNDS=1
// expect: verified paths 11
// selvedge: check --no-races --count-paths --cflags=-DROUNDS=2
// expect: verified paths 34
// selvedge: check --no-races --count-paths --cflags=-DROUNDS=1 --cflags=-DTHREADS=3
// expect: verified paths 45 executions 45
//
// Threads try a lock as often as an input says.
#include <pthread.h>
#include <selvedge.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static int try_lock(void) {
    pthread_mutex_lock(&mutex);
    if (taken == 0) {
        taken = 1;
        pthread_mutex_unlock(&mutex);
        return 1;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *work(void *unused) {
    unsigned k = selvedge_any_uint();
    if (k > ROUNDS)
        return unused;
    for (unsigned i = 0; i < k; i++)
        if (try_lock())
            taken = 0;
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
