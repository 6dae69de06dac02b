// selvedge: check --model rc11 --strategy optimal --keep-going
// expect: violation assertion line 19
// expect: violation assertion line 27
// expect: violation data-race line 20
//
// What goes wrong in one thread does not hide what others do before it, nor what that thread does when it reads something
// else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static int shared;

enum { RELAXED = memory_order_relaxed };

static void *wants_one(void *unused) {
    int seen = atomic_load_explicit(&first, RELAXED);
    assert(seen);
    shared = 1;
    return unused;
}

static void *wants_nothing(void *unused) {
    atomic_store_explicit(&first, 1, RELAXED);
    int seen = atomic_load_explicit(&second, RELAXED);
    assert(!seen);
    shared = 2;
    return unused;
}

static void *stores(void *unused) {
    atomic_store_explicit(&second, 1, RELAXED);
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, wants_one, NULL);
    pthread_create(&two, NULL, wants_nothing, NULL);
    pthread_create(&three, NULL, stores, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
