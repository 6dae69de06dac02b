// selvedge: check --cflags='-DN=3 -DT=2'
// expect: verified
//
// T threads sort N numbers at the same time, each with one pass, without a lock.
#include "bench.h"

#ifndef N
#define N 3
#endif

#ifndef T
#define T 2
#endif

static atomic_int numbers[N];

static void *pass(void *argument) {
    for (int i = 0; i + 1 < N; i++) {
        int one = atomic_load(&numbers[i]), other = atomic_load(&numbers[i + 1]);
        if (one > other) {
            atomic_store(&numbers[i], other);
            atomic_store(&numbers[i + 1], one);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[T];
    for (int i = 0; i < N; i++)
        atomic_store(&numbers[i], N - i);
    for (int i = 0; i < T; i++)
        threads[i] = start(pass, i);
    for (int i = 0; i < T; i++)
        join(threads[i]);
    return 0;
}
