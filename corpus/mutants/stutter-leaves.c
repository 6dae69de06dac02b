// selvedge: check --model sc
// expect: violation assertion
// mutant: verified

// A wait on a condition variable may return for no reason: `if` where `while` is needed.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!full)
        pthread_cond_wait(&changed, &mutex);
    assert(full);
    full = 0;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t taker;
    pthread_create(&taker, 0, take, 0);
    pthread_mutex_lock(&mutex);
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(taker, 0);
    return 0;
}
