// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation deadlock
//
// A buffer with two slots, a lock and two condition variables; N producers and N consumers, one item each.
// BUG: all wait on one condition variable, and a signal may wake the wrong side.
#include "bench.h"

#ifndef N
#define N 3
#endif
#ifdef BUG
#define SLOTS 1
#define not_empty not_full
#else
#define SLOTS 2
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int slots[SLOTS], first, filled, sum;

static void *produce(void *argument) {
    pthread_mutex_lock(&lock);
    while (filled == SLOTS)
        pthread_cond_wait(&not_full, &lock);
    slots[(first + filled) % SLOTS] = number_of(argument);
    filled++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *argument) {
    pthread_mutex_lock(&lock);
    while (filled == 0)
        pthread_cond_wait(&not_empty, &lock);
    sum += slots[first];
    first = (first + 1) % SLOTS;
    filled--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2 * N];
    for (int i = 0; i < N; i++)
        threads[i] = start(produce, i + 1);
    for (int i = 0; i < N; i++)
        threads[N + i] = start(consume, i);
    for (int i = 0; i < 2 * N; i++)
        join(threads[i]);
    assert(sum == N * (N + 1) / 2);
    return 0;
}
