// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: lock twice EDEADLK 1
// stdout: foreign unlock EPERM 1, lock busy 1
// stdout: unlock 0, unlock again EPERM 1
// native: same
//
// An error-checking mutex reports what a normal one would suffer in silence.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static int foreign_unlock, foreign_trylock;

static void *stranger(void *unused) {
    foreign_unlock = pthread_mutex_unlock(&mutex);
    foreign_trylock = pthread_mutex_trylock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);

    pthread_mutex_lock(&mutex);
    printf("lock twice EDEADLK %d\n", pthread_mutex_lock(&mutex) == EDEADLK);
    pthread_t thread;
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    printf("foreign unlock EPERM %d, lock busy %d\n", foreign_unlock == EPERM, foreign_trylock == EBUSY);
    int first = pthread_mutex_unlock(&mutex);
    printf("unlock %d, unlock again EPERM %d\n", first, pthread_mutex_unlock(&mutex) == EPERM);
    return pthread_mutex_destroy(&mutex);
}
