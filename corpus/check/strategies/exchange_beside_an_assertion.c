// selvedge: check --strategy auto --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy states --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy dpor --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy optimal --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy icb --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy mcr --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy se-mcr --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy viequi --keep-going
// expect: violation assertion
// expect: violation data-race

// The thread that fails has exchanged in the same step: the exchange races with the other thread's look all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int number = 1;

static void *exchange(void *argument) {
    int seen = 1;
    atomic_compare_exchange_strong((atomic_int *)&number, &seen, 2); // fault: races
    assert(seen != 1);                                               // fault: it is 1
    return NULL;
}

static void *look(void *argument) {
    int seen = number;
    return (void *)(long)(seen - seen);
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, exchange, NULL);
    pthread_create(&other, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
