// selvedge: check --model sc --strategy auto --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy mcr --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy mcr-s --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy se-mcr --keep-going
// expect: violation assertion
// expect: violation data-race
// selvedge: check --strategy viequi --keep-going
// expect: violation assertion
// expect: violation data-race

// Wherever the exchange succeeds its thread fails: it races with the look all the same, which no execution shows that goes on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int number;

static void *exchange(void *argument) {
    int seen = 1;
    atomic_compare_exchange_strong((atomic_int *)&number, &seen, 3); // fault: races
    assert(seen != 1);                                               // fault: it may be 1
    return NULL;
}

static void *look(void *argument) {
    atomic_store((atomic_int *)&number, 1);
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
