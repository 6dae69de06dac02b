// selvedge: check --model sc
// expect: verified
// mutant: violation

// Waking for no reason and waiting again changes nothing.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&changed, &mutex);
    assert(full);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t takers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&takers[i], 0, take, 0);
    pthread_mutex_lock(&mutex);
    full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(takers[i], 0);
    return 0;
}
