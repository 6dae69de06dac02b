// selvedge: check --model tso
// expect: verified
// selvedge: check --model tso --strategy optimal
// expect: verified
// selvedge: check --model tso --strategy mcr
// expect: verified
// selvedge: check --model tso --without privacy
// expect: verified
// selvedge: check --model pso
// expect: verified
// selvedge: check --model rc11
// expect: violation assertion
// A sequentially consistent store is a barrier of the processor, whatever it stores to; for the language it is none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused) {
    atomic_int own;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store(&own, 1);
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *right(void *unused) {
    atomic_int own;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store(&own, 1);
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, left, 0);
    pthread_create(&other, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(seen_x || seen_y);
}
