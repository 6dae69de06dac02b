// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: consumed 12, sum 126
// native: same
//
// Producers and consumers over a ring of three slots with two condition variables.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { SLOTS = 3, PER_PRODUCER = 6 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int slots[SLOTS], head, filled, consumed, sum;

static void *producer(void *argument) {
    int base = *(int *)argument;
    for (int i = 1; i <= PER_PRODUCER; i++) {
        pthread_mutex_lock(&mutex);
        while (filled == SLOTS)
            pthread_cond_wait(&not_full, &mutex);
        slots[(head + filled) % SLOTS] = base + i;
        filled++;
        assert(filled <= SLOTS);
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *unused) {
    for (int i = 0; i < PER_PRODUCER; i++) {
        pthread_mutex_lock(&mutex);
        while (filled == 0)
            pthread_cond_wait(&not_empty, &mutex);
        sum += slots[head];
        head = (head + 1) % SLOTS;
        filled--;
        consumed++;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    int bases[2] = {0, 14};
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, producer, &bases[i]);
        pthread_create(&threads[2 + i], NULL, consumer, NULL);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("consumed %d, sum %d\n", consumed, sum);
    return 0;
}
