// selvedge: run
// expect: exit 0
// seeds: 3
// stdout: 40 threads, total 820, relaxed counter 80
// native: same
//
// Forty threads in two waves; the second wave may get the identifiers of the first.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { WAVE = 20 };

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int counter;
static int total;

static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    total += (int)(intptr_t)argument;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add_explicit(&counter, 2, memory_order_relaxed);
    return argument;
}

int main(void) {
    int joined = 0;
    for (int wave = 0; wave < 2; wave++) {
        pthread_t threads[WAVE];
        for (intptr_t i = 0; i < WAVE; i++)
            pthread_create(&threads[i], NULL, work, (void *)(wave * WAVE + i + 1));
        for (int i = 0; i < WAVE; i++) {
            void *result;
            pthread_join(threads[i], &result);
            joined += (intptr_t)result == wave * WAVE + i + 1;
        }
    }
    printf("%d threads, total %d, relaxed counter %d\n", joined, total, counter);
    return 0;
}
