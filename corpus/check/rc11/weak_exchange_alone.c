// selvedge: check --model rc11
// expect: violation assertion
// selvedge: check --model rc11 --strategy optimal
// expect: violation assertion
//
// A weak compare-exchange that is tried once and fails has come to where it is by no detour: what follows it is seen by others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;
static int found;

static void *add_two(void *unused) {
    int seen = atomic_load_explicit(&number, memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&number, &seen, seen + 2, memory_order_relaxed, memory_order_relaxed))
        return unused;
    found = seen;
    return unused;
}

static void *try_and_store(void *unused) {
    int seven = 7;
    atomic_compare_exchange_weak_explicit(&number, &seven, 1, memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(&number, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t adds, tries;
    pthread_create(&adds, NULL, add_two, NULL);
    pthread_create(&tries, NULL, try_and_store, NULL);
    pthread_join(adds, NULL);
    pthread_join(tries, NULL);
    assert(found != 1);
    return 0;
}
