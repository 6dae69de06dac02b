// selvedge: check
// expect: violation assertion line 38
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A bounded buffer whose consumers wait once for an item and do not look again when they are woken. Another consumer
// may have been faster.
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 2 };

#ifdef FIXED
#define UNTIL while
#else
#define UNTIL if
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int items[CAPACITY];
static int count;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (count == CAPACITY)
        pthread_cond_wait(&not_full, &lock);
    items[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    UNTIL (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0);
    int item = items[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused) {
    put(1);
    put(2);
    return unused;
}

static void *consume(void *unused) {
    take();
    return unused;
}

int main(void) {
    pthread_t producer, first, second;
    pthread_create(&first, NULL, consume, NULL);
    pthread_create(&second, NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(producer, NULL);
    return 0;
}
