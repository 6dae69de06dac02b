// selvedge: check
// expect: violation assertion line 34
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A spin lock that looks whether it is free and then takes it, in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool locked;
static atomic_int inside;

static void lock(void) {
#ifdef FIXED
    while (atomic_exchange(&locked, true))
        ;
#else
    while (atomic_load(&locked))
        ;
    atomic_store(&locked, true);
#endif
}

static void unlock(void) {
    atomic_store(&locked, false);
}

static void *worker(void *unused) {
    for (int i = 0; i < 2; i++) {
        lock();
        int others = atomic_fetch_add(&inside, 1);
        assert(others == 0);
        atomic_fetch_sub(&inside, 1);
        unlock();
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
