// selvedge: check --strategy auto
// expect: violation assertion
// selvedge: check --strategy states
// expect: violation assertion
// selvedge: check --strategy dpor
// expect: violation assertion
// selvedge: check --strategy optimal
// expect: violation assertion
// selvedge: check --strategy icb
// expect: violation assertion
// selvedge: check --strategy mcr
// expect: violation assertion
// selvedge: check --strategy se-mcr
// expect: violation assertion
// selvedge: check --strategy viequi
// expect: violation assertion
// selvedge: check --strategy auto --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy states --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy dpor --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy optimal --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy icb --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy mcr --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy se-mcr --count-views --model tso
// expect: violation assertion
// selvedge: check --strategy viequi --count-views --model tso
// expect: violation assertion

// A thread that ends leaves another one behind, for which nobody waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *fail(void *argument) {
    assert(atomic_load(&first) + atomic_load(&second) != 2); // fault: both may be stored
    return NULL;
}

static void *create(void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
    atomic_store(&first, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, create, NULL);
    atomic_store(&second, 1);
    pthread_join(thread, NULL);
    return 0;
}
