// selvedge: check
// expect: violation assertion
// selvedge: check --model sc
// expect: verified
//
// Two fences that only relaxed reads connect: the second comes after the first, and what it orders need not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, first, second;
static int handed, taken, seen;

static void store(atomic_int *to) { atomic_store_explicit(to, 1, memory_order_relaxed); }
static int load(atomic_int *from) { return atomic_load_explicit(from, memory_order_relaxed); }

static void *writer(void *unused) {
    store(&data);
    atomic_thread_fence(memory_order_seq_cst);
    store(&first);
    return unused;
}

static void *between(void *unused) {
    handed = load(&first);
    store(&second);
    return unused;
}

static void *reader(void *unused) {
    taken = load(&second);
    atomic_thread_fence(memory_order_seq_cst);
    seen = load(&data);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, between, 0);
    pthread_create(&threads[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(!(handed == 1 && taken == 1 && seen == 0));
}
