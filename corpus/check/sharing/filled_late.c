// selvedge: check --model pso
// expect: violation data-race
// selvedge: check --model pso --strategy states
// expect: violation data-race
// selvedge: check --model pso --strategy dpor
// expect: violation data-race
// selvedge: check --model pso --strategy optimal
// expect: violation data-race
// selvedge: check --model pso --strategy icb
// expect: violation data-race
// selvedge: check --model pso --strategy mpc
// expect: violation data-race
// selvedge: check --model pso --without privacy
// expect: violation data-race
// selvedge: check --model tso
// expect: verified
// Under pso the plain store that fills the object may come after what publishes it, also if it changes nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *publisher(void *unused) {
    int *object = calloc(1, sizeof *object);
    *object = 0;
    atomic_store_explicit(&published, object, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publisher, 0);
    int *object = atomic_load(&published);
    if (object) (void)__atomic_load_n(object, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    free(published);
}
