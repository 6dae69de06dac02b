// selvedge: check --model sc --strategy auto --keep-going
// expect: violation assertion
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy dpor --keep-going
// expect: violation assertion
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy optimal --keep-going
// expect: violation assertion
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy icb --keep-going
// expect: violation assertion
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy mcr --keep-going
// expect: violation assertion
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy viequi --keep-going
// expect: violation assertion
// expect: violation assertion
// expect: violation data-race

// Each of the accesses ends the execution, because its thread fails in the same step: they race, but no execution has both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int number;

static void *look(void *argument) {
    int seen = number; // fault: races
    assert(seen == 7); // fault: it is 0 or 1
    return NULL;
}

static void *change(void *argument) {
    int seen = atomic_exchange((atomic_int *)&number, 1); // fault: races
    assert(seen != 0);                                    // fault: it is 0
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&other, NULL, change, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
