// selvedge: check
// expect: violation memory line 29
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A stack of work between a producer and a consumer. It counts as full one item too late, which shows only if the
// consumer is slow.
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 2, ITEMS = 3 };

#ifdef FIXED
#define FULL(count) ((count) >= CAPACITY)
#else
#define FULL(count) ((count) > CAPACITY)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[CAPACITY];
static int count, sum;

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (FULL(count))
            pthread_cond_wait(&changed, &lock);
        items[count++] = i;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&changed, &lock);
        sum += items[--count];
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(sum == 3);
    return 0;
}
