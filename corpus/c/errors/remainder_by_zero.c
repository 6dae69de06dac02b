// selvedge: run
// expect: violation division line 10
// seeds: 3
//
// A remainder by zero in a thread, of unsigned 64-bit numbers.
#include <pthread.h>
#include <stdio.h>

static unsigned long greatest_common_divisor(unsigned long a, unsigned long b) {
    unsigned long rest = a % b; // fault: when b is zero
    return rest ? greatest_common_divisor(b, rest) : b;
}

static void *work(void *argument) {
    unsigned long *pair = argument;
    pair[0] = greatest_common_divisor(pair[0], pair[1]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    unsigned long pairs[2][2] = {{48, 36}, {5, 0}};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, pairs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%lu %lu\n", pairs[0][0], pairs[1][0]);
    return 0;
}
