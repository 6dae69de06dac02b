// selvedge: run
// expect: exit 0
// seeds: 10
// stdout: counter 10, overlaps 0
// native: same
//
// Peterson's lock for two threads, with sequentially consistent atomics.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn, inside, overlaps;
static int counter;

static void *work(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    for (int i = 0; i < 5; i++) {
        wants[me] = 1;
        turn = other;
        while (wants[other] && turn == other)
            sched_yield();
        if (inside++ != 0)
            overlaps++;
        counter++;
        inside--;
        wants[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d, overlaps %d\n", counter, overlaps);
    return 0;
}
