// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A cache under a read-write lock. On a miss the entry is added while the lock is still held for reading.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached, computed;

static int lookup(void) {
    pthread_rwlock_rdlock(&lock);
    int result = cached;
    if (result) {
        pthread_rwlock_unlock(&lock);
        return result;
    }
#ifdef FIXED
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_wrlock(&lock);
    if (!cached) {
        cached = 42;
        computed++;
    }
    result = cached;
    pthread_rwlock_unlock(&lock);
    return result;
}

static void *client(void *unused) {
    int result = lookup();
    assert(result == 42);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, client, NULL);
    pthread_create(&second, NULL, client, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(computed == 1);
    return 0;
}
