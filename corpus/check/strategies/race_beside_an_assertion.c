// selvedge: check --strategy auto --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy states --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy dpor --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy optimal --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy icb --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy mcr --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy se-mcr --model tso --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy viequi --model tso --keep-going
// expect: violation assertion
// expect: violation data-race

// An assertion that always fails does not hide the race between the store before it and the other thread's exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int number;
static atomic_int nothing;

static void *fail(void *argument) {
    number = 3;                         // fault: races
    assert(atomic_load(&nothing) == 1); // fault: it is 0
    return NULL;
}

static void *exchange(void *argument) {
    (void)atomic_load(&nothing);
    atomic_exchange((atomic_int *)&number, 1);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, fail, NULL);
    pthread_create(&other, NULL, exchange, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
