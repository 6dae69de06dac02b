// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DSPINS
// expect: verified
// selvedge: check --model rc11 --cflags -DABORTS
// expect: violation abort
//
// A process ends with whoever ends it, and with it those who wait or go round.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag, seen;

static void *other(void *unused) {
    (void)unused;
#ifdef SPINS
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    return NULL;
#else
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#ifdef ABORTS
    if (atomic_load_explicit(&seen, memory_order_relaxed))
        abort();
#endif
    exit(0);
#endif
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
#ifdef SPINS
    pthread_detach(thread);
    atomic_store_explicit(&seen, 1, memory_order_relaxed);
    return 0;
#else
    atomic_store_explicit(&seen, 1, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 3;
#endif
}
