// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: owner died 1, value 13
// stdout: lock after repair 0
// stdout: not recoverable 1
// native: same
//
// A robust mutex whose owner ended with it: the next owner is told, repairs it, or makes it unusable.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static int value;

static void *die_holding(void *unused) {
    pthread_mutex_lock(&mutex);
    value += 13;
    return unused;
}

static void run(void *(*function)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);

    run(die_holding);
    int result = pthread_mutex_lock(&mutex);
    printf("owner died %d, value %d\n", result == EOWNERDEAD, value);
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    printf("lock after repair %d\n", pthread_mutex_lock(&mutex));
    pthread_mutex_unlock(&mutex);

    run(die_holding);
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
        pthread_mutex_unlock(&mutex); /* without repair */
    printf("not recoverable %d\n", pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    pthread_mutex_destroy(&mutex);
    return 0;
}
