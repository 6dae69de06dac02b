// selvedge: check --model rc11 --strategy auto
// expect: violation assertion
// selvedge: check --model rc11 --strategy optimal
// expect: violation assertion
// selvedge: check --model rc11 --strategy states
// expect: violation assertion
// selvedge: check --model mca --strategy auto
// expect: violation assertion
// selvedge: check --model mca --strategy optimal
// expect: violation assertion

// The writer's weak compare-exchange always fails, for a reason or for none. That is chosen before it reads, and belongs to
// the state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int other, x, y;

static void *write_both(void *argument) {
    int expected = 3;
    atomic_compare_exchange_weak_explicit(&other, &expected, 2, memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_both, NULL);
    if (atomic_load_explicit(&x, memory_order_relaxed))
        assert(atomic_load_explicit(&y, memory_order_relaxed));
    pthread_join(thread, NULL);
    return 0;
}
