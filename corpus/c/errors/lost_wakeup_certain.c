// selvedge: run
// expect: violation deadlock
// seeds: 4
//
// The signaller is joined before the wait begins: the signal is always lost.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&finished);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("the worker has ended\n");
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&finished, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
