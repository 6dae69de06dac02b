// selvedge: check --no-races --model tso
// expect: violation assertion
// selvedge: check --no-races --model sc
// expect: verified
// selvedge: check --no-races --model tso --cflags=-DORDER=memory_order_seq_cst
// expect: verified
//
// Two threads that enter only if the other one does not want to, and add to an account: buffered stores let both in.
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int wants[2];
static atomic_int inside;
static unsigned char limit;

static void enter(int me) {
    atomic_store_explicit(&wants[me], 1, ORDER);
    if (atomic_load_explicit(&wants[1 - me], ORDER) == 0) {
        int others = atomic_fetch_add(&inside, 1);
        selvedge_assert(others == 0 || limit != 77);
        atomic_fetch_sub(&inside, 1);
    }
    atomic_store_explicit(&wants[me], 0, ORDER);
}

static void *work(void *unused) {
    enter(1);
    return unused;
}

int main(void) {
    limit = selvedge_any_uchar();
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    enter(0);
    pthread_join(thread, 0);
    return 0;
}
