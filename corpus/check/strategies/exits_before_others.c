// selvedge: check --strategy auto --count-views
// expect: violation assertion
// selvedge: check --strategy states --count-views
// expect: violation assertion
// selvedge: check --strategy dpor --count-views
// expect: violation assertion
// selvedge: check --strategy optimal --count-views
// expect: violation assertion
// selvedge: check --strategy icb --count-views
// expect: violation assertion
// selvedge: check --strategy mcr --count-views
// expect: violation assertion
// selvedge: check --strategy se-mcr --count-views
// expect: violation assertion
// selvedge: check --strategy viequi --count-views
// expect: violation assertion
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
// selvedge: check --strategy auto --model pso
// expect: violation assertion
// selvedge: check --strategy optimal --model pso
// expect: violation assertion
// selvedge: check --strategy mcr --model pso
// expect: violation assertion

// One thread ends the program when it sees the other, which fails only then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first, second, third;

static void *leave(void *argument) {
    atomic_store(&first, 1);
    if (atomic_load(&second) == 1)
        exit(3);
    return NULL;
}

static void *fail(void *argument) {
    atomic_store(&second, 1);
    if (atomic_load(&first) == 1) {
        atomic_store(&third, 1);
        assert(atomic_load(&third) == 0); // fault: it has just been stored
    }
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, leave, NULL);
    pthread_create(&other, NULL, fail, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
