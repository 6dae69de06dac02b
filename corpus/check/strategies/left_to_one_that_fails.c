// selvedge: check --strategy auto --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy states --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy dpor --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy optimal --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy icb --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy mcr --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy se-mcr --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock
// selvedge: check --strategy viequi --keep-going
// expect: violation assertion
// expect: violation deadlock
// expect: violation deadlock

// A thread that may fail comes first; what others could do was left to executions that begin with it, and is lost when it
// fails. Either of two threads can be left waiting for the mutex.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *exchange(void *argument) {
    int old = 0;
    atomic_compare_exchange_strong(&number, &old, 1);
    return NULL;
}

static void *fail(void *argument) {
    assert(atomic_load(&number) != 0); // fault: it may still be 0
    pthread_mutex_lock(&mutex);        // fault: nobody gives it back
    return NULL;
}

static void *store(void *argument) {
    pthread_mutex_lock(&mutex);
    (void)atomic_load(&number);
    atomic_store(&number, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    void *(*bodies[3])(void *) = {exchange, fail, store};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
