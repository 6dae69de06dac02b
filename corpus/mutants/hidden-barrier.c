// selvedge: check --model pso
// expect: violation assertion
// mutant: verified
// The stores become visible one by one before the thread passes the barrier, which is an operation on its own variable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *writer(void *unused) {
    atomic_int own = 0;
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    atomic_fetch_add(&own, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int later = atomic_load(&second), earlier = atomic_load(&first);
    assert(!later || earlier);
    pthread_join(thread, 0);
}
