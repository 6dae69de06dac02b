// selvedge: check --model rc11 --strategy states
// expect: violation assertion
// selvedge: check --model rc11 --strategy optimal
// expect: violation assertion
// selvedge: check --model rc11 --without all
// expect: violation assertion
// selvedge: check --model mca
// expect: violation assertion
//
// The weak compare-exchange may be chosen to fail for no reason, and then not find what it expects. Its thread is not followed
// from there, but what goes wrong in the other one beside it has to be replayed.
#include <assert.h>
#include <pthread.h>

static int x, y, z;

static void *exchange(void *unused) {
    int expected = 2;
    __atomic_compare_exchange_n(&y, &expected, 1, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return unused;
}

static void *look(void *unused) {
    int first = __atomic_load_n(&x, __ATOMIC_RELAXED);
    int second = __atomic_load_n(&y, __ATOMIC_RELAXED);
    assert(first == 0 || second != 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, exchange, 0);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    pthread_create(&threads[1], 0, look, 0);
    __atomic_store_n(&z, 1, __ATOMIC_RELAXED);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
