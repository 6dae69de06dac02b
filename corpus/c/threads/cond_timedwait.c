// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: nobody signals: timed out 1
// stdout: mutex is held again 1
// stdout: finished 1
// native: same
//
// A timed wait ends by itself when nobody signals, holds the mutex again, and copes with a signal that comes late.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int finished;

static struct timespec soon(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += 5000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static void *finish(void *unused) {
    pthread_mutex_lock(&mutex);
    finished = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);

    struct timespec limit = soon();
    int code = 0;
    pthread_mutex_lock(&mutex);
    while (code == 0)
        code = pthread_cond_timedwait(&changed, &mutex, &limit);
    printf("nobody signals: timed out %d\n", code == ETIMEDOUT);
    printf("mutex is held again %d\n", pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_mutex_unlock(&mutex);

    pthread_t thread;
    pthread_create(&thread, NULL, finish, NULL);
    pthread_mutex_lock(&mutex);
    while (!finished) {
        limit = soon();
        pthread_cond_timedwait(&changed, &mutex, &limit);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    printf("finished %d\n", finished);
    return 0;
}
