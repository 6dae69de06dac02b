// selvedge: run
// expect-some: violation deadlock
// seeds: 30
//
// A wait without a condition: a signal that comes before it is lost, and main waits for ever.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int result;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    result = 42;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&finished, &mutex);
    printf("result %d\n", result);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
