// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: 1.5 3.75 3.5
// stdout: sum 30, product 1024
// native: same
//
// Read-modify-writes of floating values: by the builtins, and by compound assignment from several threads.
#include <pthread.h>
#include <stdio.h>

static _Atomic double sum;
static _Atomic float product = 1;

static void *work(void *unused) {
    for (int i = 0; i < 5; i++)
        sum += 2;
    for (int i = 0; i < 5; i++)
        product *= 2;
    return unused;
}

int main(void) {
    double cell = 1.5;
    double a = __atomic_fetch_add(&cell, 2.25, __ATOMIC_RELAXED);
    double b = __atomic_fetch_sub(&cell, 0.25, __ATOMIC_SEQ_CST);
    printf("%g %g %g\n", a, b, cell);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 5; i++)
        sum += 2;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("sum %g, product %g\n", (double)sum, (double)product);
    return 0;
}
