// selvedge: run
// expect: exit 0
// seeds: 10
// stdout: both read zero 0 times in 8 rounds
// native: same
//
// Two sequentially consistent stores, each followed by a load of the other's variable: not both loads see zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int seen_x, seen_y;
static pthread_barrier_t barrier;

static void *left(void *unused) {
    for (int i = 0; i < 8; i++) {
        pthread_barrier_wait(&barrier);
        atomic_store(&x, 1);
        seen_y = atomic_load(&y);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

static void *right(void *unused) {
    for (int i = 0; i < 8; i++) {
        pthread_barrier_wait(&barrier);
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        seen_x = atomic_load_explicit(&x, memory_order_relaxed);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int both_zero = 0;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    for (int i = 0; i < 8; i++) {
        x = y = 0;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        both_zero += !seen_x && !seen_y;
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("both read zero %d times in 8 rounds\n", both_zero);
    return 0;
}
