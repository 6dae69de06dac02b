// selvedge: check --model rc11
// expect: violation misuse
//
// A thread waits at a barrier that another one has destroyed. Nobody waits for the threads: that it waits for ever would not matter.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int destroyed;

static void *destroy(void *unused) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    atomic_store_explicit(&destroyed, 1, memory_order_release);
    return unused;
}

static void *wait_there(void *unused) {
    if (atomic_load_explicit(&destroyed, memory_order_acquire)) {
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_create(&first, NULL, destroy, NULL);
    pthread_create(&second, NULL, wait_there, NULL);
    return 0;
}
