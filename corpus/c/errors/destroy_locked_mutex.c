// selvedge: run
// expect: exit 0
// stdout: destroyed or refused 1
// native: same
//
// Destroying a locked mutex is undefined by the standard; success and EBUSY are the only sane answers.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    int code = pthread_mutex_destroy(&mutex);
    printf("destroyed or refused %d\n", code == 0 || code == EBUSY);
    return 0;
}
