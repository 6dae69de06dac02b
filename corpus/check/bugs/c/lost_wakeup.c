// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A thread waits for a flag. It looks at the flag before it takes the lock, and the signal can come between the look
// and the wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_changed = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *prepare(void *unused) {
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&ready_changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void wait_until_ready(void) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&ready_changed, &lock);
    pthread_mutex_unlock(&lock);
#else
    if (!ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready_changed, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
}

int main(void) {
    pthread_t helper;
    pthread_create(&helper, NULL, prepare, NULL);
    wait_until_ready();
    pthread_join(helper, NULL);
    return 0;
}
