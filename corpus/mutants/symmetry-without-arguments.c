// selvedge: check --model rc11
// expect: violation assertion
// mutant: verified

// The threads execute one function with different arguments. That the first reads what the second has stored is not the same
// as the other way round.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int x;

static void *store(void *value) {
    int seen = __atomic_load_n(&x, __ATOMIC_RELAXED);
    assert(value != (void *)1 || seen != 2);
    __atomic_store_n(&x, (int)(intptr_t)value, __ATOMIC_RELAXED);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, store, (void *)1);
    pthread_create(&threads[1], 0, store, (void *)2);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
