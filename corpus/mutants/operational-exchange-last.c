// selvedge: check --model rc11
// expect: unknown
// mutant: verified

// Graphs are too long here, so the states of executions that look back decide. A compare-exchange that fails is a load, and
// may have read a store before the last: then the assertion fails, and since that search reports nothing it stays open.
#include <assert.h>
#include <pthread.h>

static int x, y, count;

static void *reader(void *unused) {
    int later = __atomic_load_n(&y, __ATOMIC_RELAXED), found = 5;
    __atomic_compare_exchange_n(&x, &found, 6, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    assert(!later || found);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    for (int i = 0; i < 2100; i++)
        __atomic_fetch_add(&count, i, __ATOMIC_RELAXED);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    pthread_join(thread, 0);
    return 0;
}
