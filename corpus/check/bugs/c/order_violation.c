// selvedge: check
// expect: violation memory
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A compressor hands blocks to a worker through a queue. When all blocks are handed over, main throws the queue away
// although the worker may still look into it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BLOCKS = 2 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    int waiting;
    bool closed;
};

static int compressed;

static void *compress(void *argument) {
    struct queue *queue = argument;
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        while (queue->waiting == 0 && !queue->closed)
            pthread_cond_wait(&queue->not_empty, &queue->lock);
        bool got = queue->waiting > 0;
        if (got)
            queue->waiting--;
        pthread_mutex_unlock(&queue->lock);
        if (!got)
            return NULL;
        compressed++;
    }
}

int main(void) {
    struct queue *queue = calloc(1, sizeof *queue);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    pthread_t worker;
    pthread_create(&worker, NULL, compress, queue);
    for (int i = 0; i < BLOCKS; i++) {
        pthread_mutex_lock(&queue->lock);
        queue->waiting++;
        queue->closed = i == BLOCKS - 1;
        pthread_cond_signal(&queue->not_empty);
        pthread_mutex_unlock(&queue->lock);
    }
#ifdef FIXED
    pthread_join(worker, NULL);
    free(queue);
#else
    free(queue);
    pthread_join(worker, NULL);
#endif
    assert(compressed == BLOCKS);
    return 0;
}
