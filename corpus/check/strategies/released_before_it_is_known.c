// selvedge: check --model pso --strategy auto
// expect: violation assertion
// selvedge: check --model pso --strategy optimal
// expect: violation assertion
// selvedge: check --model pso --strategy mcr
// expect: violation assertion
// selvedge: check --model pso --strategy mcr-s
// expect: violation assertion
// selvedge: check --model pso --strategy se-mcr
// expect: violation assertion
// selvedge: check --model pso --strategy viequi
// expect: violation assertion

// The release store goes to an object that no other thread knows. It waits in the buffer from when the object is published, and
// by then the store to `x` waits there, too: that comes later in the program, so the release does not order it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) known;
static atomic_int x;

static void *look(void *argument) {
    atomic_int *object = atomic_load_explicit(&known, memory_order_relaxed);
    if (object != NULL) {
        int seen = atomic_load_explicit(object, memory_order_relaxed);
        int other = atomic_load_explicit(&x, memory_order_relaxed);
        assert(seen == 0 || other == 1); // fault: x may become visible last
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_int *object = calloc(1, sizeof *object);
    atomic_store_explicit(object, 1, memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&known, object, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
