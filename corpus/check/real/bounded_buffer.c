// selvedge: check
// expect: verified
//
// Three producers and three consumers around a ring of two slots, with a mutex and two condition variables.
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 2, PRODUCERS = 3, CONSUMERS = 3 };

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[CAPACITY];
    unsigned head, count;
};

static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER,
                           .not_empty = PTHREAD_COND_INITIALIZER,
                           .not_full = PTHREAD_COND_INITIALIZER};
static int received[CONSUMERS];

static void put(int item) {
    pthread_mutex_lock(&ring.lock);
    while (ring.count == CAPACITY)
        pthread_cond_wait(&ring.not_full, &ring.lock);
    ring.items[(ring.head + ring.count++) % CAPACITY] = item;
    pthread_cond_signal(&ring.not_empty);
    pthread_mutex_unlock(&ring.lock);
}

static int take(void) {
    pthread_mutex_lock(&ring.lock);
    while (ring.count == 0)
        pthread_cond_wait(&ring.not_empty, &ring.lock);
    int item = ring.items[ring.head];
    ring.head = (ring.head + 1) % CAPACITY;
    ring.count--;
    pthread_cond_signal(&ring.not_full);
    pthread_mutex_unlock(&ring.lock);
    return item;
}

static void *produce(void *number) {
    put(1 << (long)number);
    return NULL;
}

static void *consume(void *number) {
    received[(long)number] = take();
    return NULL;
}

int main(void) {
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    for (long i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, produce, (void *)i);
    for (long i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, (void *)i);
    int sum = 0;
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    for (int i = 0; i < CONSUMERS; i++) {
        pthread_join(consumers[i], NULL);
        sum += received[i];
    }
    assert(sum == 7 && ring.count == 0);
    return 0;
}
