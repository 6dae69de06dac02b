// selvedge: check --no-races --model tso
// expect: violation assertion
// selvedge: check --no-races --model sc
// expect: verified
// selvedge: check --no-races --model tso --cflags=-DFENCE=memory_order_seq_cst
// expect: verified
// selvedge: check --no-races --model tso --count-paths --cflags=-DCOUNT
// expect: verified paths 4
//
// Store buffering with values that nobody knows: both threads read what was there before, if the stores wait.
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

#ifndef FENCE
#define FENCE memory_order_relaxed
#endif

static atomic_int x, y;
static int seen;

static void *work(void *unused) {
    int value = selvedge_any_int();
    atomic_store_explicit(&x, value, memory_order_relaxed);
    atomic_thread_fence(FENCE);
    seen = atomic_load_explicit(&y, memory_order_relaxed);
#ifdef COUNT
    if (seen == 0) seen = 7;
#endif
    return unused;
}

int main(void) {
    int value = selvedge_any_int();
    selvedge_assume(value != 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    atomic_store_explicit(&y, value, memory_order_relaxed);
    atomic_thread_fence(FENCE);
    int mine = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef COUNT
    if (mine == 0) value = 1;
#endif
    pthread_join(thread, 0);
#ifndef COUNT
    int theirs = atomic_load_explicit(&x, memory_order_relaxed);
    selvedge_assert(!(theirs == 42 && mine == 0 && seen == 0));
#endif
    return 0;
}
