// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: counter 30
// stdout: flag 0 1, seen 7
// native: same
//
// atomic_flag as a spinlock, all fences, and the compiler's own barrier.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter, data;
static atomic_int ready;

static void *work(void *unused) {
    for (int i = 0; i < 10; i++) {
        while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
            sched_yield();
        counter++;
        __asm__ volatile("" ::: "memory");
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
    return unused;
}

static void *publish(void *unused) {
    data = 7;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t threads[3], publisher;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d\n", counter);

    pthread_create(&publisher, NULL, publish, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        sched_yield();
    atomic_thread_fence(memory_order_acquire);
    int seen = data;
    pthread_join(publisher, NULL);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acq_rel);
    __sync_synchronize();
    int before = atomic_flag_test_and_set(&busy);
    printf("flag %d %d, seen %d\n", before, atomic_flag_test_and_set(&busy), seen);
    return 0;
}
