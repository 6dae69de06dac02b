// selvedge: run
// expect-some: violation assertion line 25
// seeds: 40
//
// An atomic load and an atomic store are two steps: the sum of the increments may be too small.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter;

static void *work(void *unused) {
    for (int i = 0; i < 3; i++)
        atomic_store(&counter, atomic_load(&counter) + 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 6); // fault: after a lost update
    printf("counter %d\n", counter);
    return 0;
}
