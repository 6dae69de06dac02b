// selvedge: check --model sc --strategy auto --keep-going
// expect: violation assertion
// expect: violation assertion
// selvedge: check --strategy mcr --keep-going
// expect: violation assertion
// expect: violation assertion
// selvedge: check --strategy mcr-s --keep-going
// expect: violation assertion
// expect: violation assertion
// selvedge: check --strategy mcr-s+ --keep-going
// expect: violation assertion
// expect: violation assertion
// selvedge: check --strategy se-mcr --keep-going
// expect: violation assertion
// expect: violation assertion
// selvedge: check --strategy viequi --keep-going
// expect: violation assertion
// expect: violation assertion

// Whoever is about to try when another one fails may have the lock or not: both are looked at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *argument) {
    int seen = x;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    assert(seen <= 0); // fault: it is 1 or 2
    return NULL;
}

static void *try(void *argument) {
    x = 2;
    assert(pthread_mutex_trylock(&first)); // fault: the lock may be free
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&other, NULL, try, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
