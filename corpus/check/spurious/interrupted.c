// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --model sc --no-spurious
// expect: verified

// Whoever looks twice in the middle of a store leaves the loop: alone it would not.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waits, done, word;

static int look(void) { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }

static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    waits = 1;
    while (!done && look() == look())
        pthread_cond_wait(&changed, &mutex);
    assert(done);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t taker;
    pthread_create(&taker, 0, take, 0);
    pthread_mutex_lock(&mutex);
    int waiting = waits;
    pthread_mutex_unlock(&mutex);
    if (waiting)
        __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(taker, 0);
    return 0;
}
