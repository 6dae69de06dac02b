// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: torn reads 0, final 5 10 15
// native: same
//
// A sequence lock: the reader repeats until it has seen a quiet, even sequence on both sides.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int x, y, z;
static atomic_int torn;

static void *writer(void *unused) {
    for (int i = 1; i <= 5; i++) {
        unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&x, i, memory_order_relaxed);
        atomic_store_explicit(&y, 2 * i, memory_order_relaxed);
        atomic_store_explicit(&z, 3 * i, memory_order_relaxed);
        atomic_store_explicit(&sequence, before + 2, memory_order_release);
    }
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 4; i++) {
        unsigned before, after;
        int a, b, c;
        for (;;) {
            before = atomic_load_explicit(&sequence, memory_order_acquire);
            a = atomic_load_explicit(&x, memory_order_relaxed);
            b = atomic_load_explicit(&y, memory_order_relaxed);
            c = atomic_load_explicit(&z, memory_order_relaxed);
            atomic_thread_fence(memory_order_acquire);
            after = atomic_load_explicit(&sequence, memory_order_relaxed);
            if (before == after && before % 2 == 0)
                break;
            sched_yield();
        }
        if (b != 2 * a || c != 3 * a)
            torn++;
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i ? reader : writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("torn reads %d, final %d %d %d\n", torn, x, y, z);
    return 0;
}
