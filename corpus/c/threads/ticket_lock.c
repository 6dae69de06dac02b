// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: counter 15, tickets 15 15
// native: same
//
// A fair lock: take a number, wait until it is called.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint next_ticket, now_serving;
static int counter;

static void lock(void) {
    unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket)
        sched_yield();
}

static void unlock(void) {
    unsigned current = atomic_load_explicit(&now_serving, memory_order_relaxed);
    atomic_store_explicit(&now_serving, current + 1, memory_order_release);
}

static void *work(void *unused) {
    for (int i = 0; i < 5; i++) {
        lock();
        counter++;
        unlock();
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d, tickets %u %u\n", counter, next_ticket, now_serving);
    return 0;
}
