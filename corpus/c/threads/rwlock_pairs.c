// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: final 6 6, torn 0
// native: same
//
// Readers under a read lock always see both halves of a pair that writers change together.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;
static atomic_int torn;

static void *reader(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_rdlock(&lock);
        if (left != right)
            torn++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_wrlock(&lock);
        left++;
        right++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? reader : writer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("final %d %d, torn %d\n", left, right, torn);
    return pthread_rwlock_destroy(&lock);
}
