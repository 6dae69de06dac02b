// selvedge: check --model pso
// expect: verified
// selvedge: check --model pso --without privacy
// expect: verified
// selvedge: check --model pso --strategy mcr
// expect: verified
// selvedge: check --model pso --strategy viequi
// expect: verified
// selvedge: check --model pso -- update
// expect: verified
// selvedge: check --model pso --strategy mcr -- update
// expect: verified
// selvedge: check --model pso -- release
// expect: violation uninitialised

// A sequentially consistent store, or an update, is in memory before whatever follows it, also if its object becomes known only
// then. A release store may wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) known;

static void *look(void *argument) {
    atomic_int *object = atomic_load_explicit(&known, memory_order_relaxed);
    if (object != NULL) {
        assert(atomic_load_explicit(object, memory_order_relaxed) == 1); // fault: after a release store
    }
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_int *object = malloc(sizeof *object);
    switch (count > 1 ? arguments[1][0] : 's') {
    case 's':
        atomic_store(object, 1);
        break;
    case 'u':
        atomic_exchange_explicit(object, 1, memory_order_relaxed);
        break;
    default:
        atomic_store_explicit(object, 1, memory_order_release);
    }
    atomic_store_explicit(&known, object, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
