// selvedge: check --model rc11 --strategy states
// expect: violation assertion
// mutant: verified

// Whether a weak compare-exchange fails is chosen before it reads. Where it was chosen to fail for no reason and then finds
// another value anyway the thread is not followed; the state is another one than where it fails for that reason.
#include <assert.h>
#include <pthread.h>

static int other, x, y;

static void *writer(void *unused) {
    int expected = 3;
    __atomic_compare_exchange_n(&other, &expected, 2, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    if (__atomic_load_n(&x, __ATOMIC_RELAXED))
        assert(__atomic_load_n(&y, __ATOMIC_RELAXED));
    pthread_join(thread, 0);
    return 0;
}
