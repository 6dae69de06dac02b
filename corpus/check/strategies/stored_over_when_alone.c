// selvedge: check --model tso --strategy auto
// expect: verified
// selvedge: check --model tso --strategy states
// expect: verified
// selvedge: check --model tso --strategy dpor
// expect: verified
// selvedge: check --model tso --strategy optimal
// expect: verified
// selvedge: check --model tso --strategy icb
// expect: verified
// selvedge: check --model tso --strategy se-mcr
// expect: verified
// selvedge: check --model tso --strategy viequi
// expect: verified
// selvedge: check --model pso --strategy auto
// expect: verified
// selvedge: check --model pso --strategy states
// expect: verified
// selvedge: check --model pso --strategy dpor
// expect: verified
// selvedge: check --model pso --strategy optimal
// expect: verified
// selvedge: check --model pso --strategy icb
// expect: verified
// selvedge: check --model pso --strategy se-mcr
// expect: verified
// selvedge: check --model pso --strategy viequi
// expect: verified

// A store that waits in the buffer of the last thread must not overwrite a later one.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *look(void *argument) {
    __atomic_load_n(&x, __ATOMIC_RELAXED);
    __atomic_load_n(&y, __ATOMIC_RELAXED);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
    __atomic_store_n(&y, 2, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 2);
    assert(__atomic_load_n(&y, __ATOMIC_RELAXED) == 2);
    return 0;
}
