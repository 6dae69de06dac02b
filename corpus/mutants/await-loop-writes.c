// selvedge: check --model rc11
// expect: violation assertion
// mutant: verified

// A round of the loop leaves the thread as it was, but has counted: the second one must not be left out.
#include <assert.h>
#include <pthread.h>

static int flag, rounds;

static void *waiter(void *unused) {
    while (!__atomic_load_n(&flag, __ATOMIC_RELAXED))
        __atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    assert(__atomic_load_n(&rounds, __ATOMIC_RELAXED) < 2);
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    pthread_join(thread, 0);
    return 0;
}
