// selvedge: check --model sc --strategy auto --keep-going
// expect: violation assertion
// selvedge: check --strategy dpor --keep-going
// expect: violation assertion
// selvedge: check --strategy optimal --keep-going
// expect: violation assertion

// The step that wakes the waiting thread fails as well: the waiting thread never takes the lock again, in no order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int number;

static void *keep(void *argument) {
    pthread_mutex_lock(&mutex);
    return NULL;
}

static void *sleep_on(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    return NULL;
}

static void *wake(void *argument) {
    int seen = number;
    pthread_cond_broadcast(&condition);
    assert(seen == 3); // fault: it is 0
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    void *(*const routines[])(void *) = {keep, sleep_on, wake};
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, routines[i], NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
