// selvedge: run
// expect: exit 0
// stdout: error-checking: EPERM 1
// stdout: recursive: EPERM 1
// stdout: still usable 0 0
// native: same
//
// Unlocking what one does not hold is refused by the mutexes that know their owner.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void initialise(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int main(void) {
    pthread_mutex_t checking, recursive;
    initialise(&checking, PTHREAD_MUTEX_ERRORCHECK);
    initialise(&recursive, PTHREAD_MUTEX_RECURSIVE);
    printf("error-checking: EPERM %d\n", pthread_mutex_unlock(&checking) == EPERM);
    printf("recursive: EPERM %d\n", pthread_mutex_unlock(&recursive) == EPERM);
    int locked = pthread_mutex_lock(&checking);
    printf("still usable %d %d\n", locked, pthread_mutex_unlock(&checking));
    pthread_mutex_destroy(&checking);
    pthread_mutex_destroy(&recursive);
    return 0;
}
