// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A buffer guarded by semaphores. The consumer takes the right to touch the buffer first and waits for an item then,
// which the producer can no longer bring.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t access_right, items;
static int stored;

static void *produce(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&access_right);
        stored++;
        sem_post(&access_right);
        sem_post(&items);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        sem_wait(&items);
        sem_wait(&access_right);
#else
        sem_wait(&access_right);
        sem_wait(&items);
#endif
        stored--;
        sem_post(&access_right);
    }
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    sem_init(&access_right, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(stored == 0);
    return 0;
}
