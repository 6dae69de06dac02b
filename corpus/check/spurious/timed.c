// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --model sc --no-spurious
// expect: verified

// That a timed wait has not timed out does not mean that it was woken.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *take(void *unused) {
    struct timespec deadline = {2000000000, 0};
    pthread_mutex_lock(&mutex);
    if (!full && pthread_cond_timedwait(&changed, &mutex, &deadline) == 0)
        assert(full);
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
