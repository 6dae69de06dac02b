// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: timed out 1
// stdout: past time on a free lock 0
// stdout: eventually locked 1
// native: same
//
// A timed lock gives up on a mutex that stays taken, and takes one that is free even if its time has passed.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct timespec soon(long milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void *give_up(void *result) {
    struct timespec time = soon(10);
    *(int *)result = pthread_mutex_timedlock(&mutex, &time);
    return NULL;
}

static void *insist(void *result) {
    struct timespec time = soon(10);
    int code;
    while ((code = pthread_mutex_timedlock(&mutex, &time)) == ETIMEDOUT)
        time = soon(10);
    *(int *)result = code == 0;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result, locked;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, give_up, &result);
    pthread_join(thread, NULL);
    printf("timed out %d\n", result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    struct timespec past = {1, 0};
    printf("past time on a free lock %d\n", pthread_mutex_timedlock(&mutex, &past));
    pthread_create(&thread, NULL, insist, &locked);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    printf("eventually locked %d\n", locked);
    return 0;
}
