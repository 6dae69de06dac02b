// selvedge: run
// expect-some: violation assertion line 23
// seeds: 40
//
// Two increments without a lock: one of them may be lost.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *increment(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2); // fault: after a lost update
    printf("counter %d\n", counter);
    return 0;
}
