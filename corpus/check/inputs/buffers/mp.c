// selvedge: check --no-races --model tso
// expect: verified
// selvedge: check --no-races --model pso
// expect: violation assertion
// selvedge: check --no-races --model pso --cflags=-DORDER=memory_order_release
// expect: verified
//
// A message and a flag: stores leave the buffer in their order.
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int message, flag;

static void *work(void *unused) {
    atomic_store_explicit(&message, selvedge_any_int(), memory_order_relaxed);
    atomic_store_explicit(&flag, 1, ORDER);
    return unused;
}

int main(void) {
    int wanted = selvedge_any_int();
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int told = atomic_load_explicit(&flag, memory_order_acquire);
    int seen = atomic_load_explicit(&message, memory_order_relaxed);
    pthread_join(thread, 0);
    int sent = atomic_load_explicit(&message, memory_order_relaxed);
    selvedge_assert(!(told && wanted == 100 && sent == 5 && seen != sent));
    return 0;
}
