// selvedge: check --model rc11
// expect: verified
// mutant: violation

// Store buffering with sequentially consistent fences: one of the two sees the other's store.
#include <assert.h>
#include <pthread.h>

static int x, y, seen;

static void *other(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    seen = __atomic_load_n(&y, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    int own = __atomic_load_n(&x, __ATOMIC_RELAXED);
    pthread_join(thread, 0);
    assert(own == 1 || seen == 1);
    return 0;
}
