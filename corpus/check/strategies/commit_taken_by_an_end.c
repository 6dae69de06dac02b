// selvedge: check --model tso --strategy auto
// expect: violation assertion
// selvedge: check --model tso --strategy states
// expect: violation assertion
// selvedge: check --model tso --strategy dpor
// expect: violation assertion
// selvedge: check --model tso --strategy optimal
// expect: violation assertion
// selvedge: check --model tso --strategy icb
// expect: violation assertion
// selvedge: check --model tso --strategy mcr
// expect: violation assertion
// selvedge: check --model tso --strategy se-mcr
// expect: violation assertion
// selvedge: check --model tso --strategy viequi
// expect: violation assertion
// selvedge: check --model pso --strategy auto
// expect: violation assertion
// selvedge: check --model pso --strategy states
// expect: violation assertion
// selvedge: check --model pso --strategy dpor
// expect: violation assertion
// selvedge: check --model pso --strategy optimal
// expect: violation assertion
// selvedge: check --model pso --strategy icb
// expect: violation assertion
// selvedge: check --model pso --strategy mcr
// expect: violation assertion
// selvedge: check --model pso --strategy se-mcr
// expect: violation assertion
// selvedge: check --model pso --strategy viequi
// expect: violation assertion

// The end of the other thread leaves main alone, and makes visible what main has stored: that store could as well have
// become visible before the other thread looked.
#include <assert.h>
#include <pthread.h>

static int x;

static void *look(void *argument) {
    assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return 0;
}
