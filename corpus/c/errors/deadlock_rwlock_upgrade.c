// selvedge: run
// expect: violation deadlock
//
// A reader asks for the write lock without giving up its read lock.
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    printf("value %d\n", value);
    if (value == 0) {
        pthread_rwlock_wrlock(&lock);
        value = 1;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}
