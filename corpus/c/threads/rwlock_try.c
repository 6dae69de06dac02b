// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: under a read lock: read 1, write EBUSY 1
// stdout: under a write lock: read EBUSY 1, write EBUSY 1
// stdout: timed: read ETIMEDOUT 1, write ETIMEDOUT 1
// stdout: free: read 1, write 1
// native: same
//
// What a second thread may and may not get while the first holds a reader-writer lock.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock;
static int read_result, write_result, timed_read, timed_write;

static void *probe(void *timed) {
    struct timespec past = {1, 0};
    read_result = pthread_rwlock_tryrdlock(&lock);
    if (read_result == 0)
        pthread_rwlock_unlock(&lock);
    write_result = pthread_rwlock_trywrlock(&lock);
    if (write_result == 0)
        pthread_rwlock_unlock(&lock);
    if (timed) {
        timed_read = pthread_rwlock_timedrdlock(&lock, &past);
        timed_write = pthread_rwlock_timedwrlock(&lock, &past);
    }
    return NULL;
}

static void from_another_thread(void *timed) {
    pthread_t thread;
    pthread_create(&thread, NULL, probe, timed);
    pthread_join(thread, NULL);
}

int main(void) {
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    from_another_thread(NULL);
    printf("under a read lock: read %d, write EBUSY %d\n", read_result == 0, write_result == EBUSY);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    from_another_thread(&lock);
    printf("under a write lock: read EBUSY %d, write EBUSY %d\n", read_result == EBUSY, write_result == EBUSY);
    printf("timed: read ETIMEDOUT %d, write ETIMEDOUT %d\n", timed_read == ETIMEDOUT, timed_write == ETIMEDOUT);
    pthread_rwlock_unlock(&lock);
    from_another_thread(NULL);
    printf("free: read %d, write %d\n", read_result == 0, write_result == 0);
    return pthread_rwlock_destroy(&lock);
}
