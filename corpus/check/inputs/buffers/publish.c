// selvedge: check --no-races --model pso
// expect: violation assertion
// selvedge: check --no-races --model tso
// expect: verified
// selvedge: check --no-races --model pso --cflags=-DORDER=memory_order_release
// expect: verified
//
// An object is filled and then shown. Where stores may overtake each other, it can be seen before it is filled.
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static _Atomic(int *) shown;

static void *work(void *unused) {
    int *object = calloc(1, sizeof *object);
    *object = selvedge_any_int();
    selvedge_assume(*object > 10);
    atomic_store_explicit(&shown, object, ORDER);
    return unused;
}

int main(void) {
    int wanted = selvedge_any_int();
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int *object = atomic_load_explicit(&shown, memory_order_acquire);
    if (object && wanted == 3)
        selvedge_assert(*object > 10);
    pthread_join(thread, 0);
    free(atomic_load(&shown));
    return 0;
}
