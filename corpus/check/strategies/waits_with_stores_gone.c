// selvedge: check --strategy auto --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy states --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy dpor --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy optimal --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy icb --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy mcr --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy se-mcr --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy viequi --model tso --keep-going
// expect: violation deadlock
// expect: violation deadlock

// Who waits for the mutex at the end waits with an empty buffer: it cannot come before whoever its store came after.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *argument) {
    atomic_store_explicit(&number, 1, memory_order_relaxed);
    pthread_mutex_lock(&mutex);
    return NULL;
}

static void *look(void *argument) {
    pthread_mutex_lock(&mutex);
    (void)atomic_load_explicit(&number, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, store, NULL);
    pthread_create(&other, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
