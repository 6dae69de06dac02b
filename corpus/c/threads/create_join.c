// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: results 0 1 4 9
// stdout: self 1, equal 0 1
// native: same
//
// Threads with an argument and a result, pthread_exit with a value, pthread_self and pthread_equal.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_t seen[4];

static void *square(void *argument) {
    intptr_t n = (intptr_t)argument;
    seen[n] = pthread_self();
    if (n % 2)
        pthread_exit((void *)(n * n));
    return (void *)(n * n);
}

int main(void) {
    pthread_t threads[4];
    for (intptr_t i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, square, (void *)i) != 0)
            return 1;
    printf("results");
    int same = 1;
    for (int i = 0; i < 4; i++) {
        void *result;
        if (pthread_join(threads[i], &result) != 0)
            return 2;
        printf(" %ld", (long)(intptr_t)result);
        same &= pthread_equal(threads[i], seen[i]) != 0;
    }
    printf("\nself %d, equal %d %d\n", same, pthread_equal(threads[0], pthread_self()) != 0,
           pthread_equal(pthread_self(), pthread_self()) != 0);
    return 0;
}
