// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: received 20 in order, sum 210
// native: same
//
// A ring between one producer and one consumer with nothing but acquire loads and release stores.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SIZE = 4, COUNT = 20 };

static int ring[SIZE];
static atomic_size_t written, consumed;

static void *produce(void *unused) {
    for (int i = 1; i <= COUNT; i++) {
        size_t at = atomic_load_explicit(&written, memory_order_relaxed);
        while (at - atomic_load_explicit(&consumed, memory_order_acquire) == SIZE)
            sched_yield();
        ring[at % SIZE] = i;
        atomic_store_explicit(&written, at + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 1; i <= COUNT; i++) {
        size_t at = atomic_load_explicit(&consumed, memory_order_relaxed);
        while (atomic_load_explicit(&written, memory_order_acquire) == at)
            sched_yield();
        int value = ring[at % SIZE];
        atomic_store_explicit(&consumed, at + 1, memory_order_release);
        assert(value == i);
        sum += value;
    }
    pthread_join(thread, NULL);
    printf("received %d in order, sum %d\n", COUNT, sum);
    return 0;
}
