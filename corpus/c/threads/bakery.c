// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: counter 9, overlaps 0
// native: same
//
// Lamport's bakery for three threads, with sequentially consistent atomics and no read-modify-write at all.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3 };

static atomic_int choosing[THREADS], number[THREADS], inside;
static int counter, overlaps;

static void lock(int me) {
    choosing[me] = 1;
    int largest = 0;
    for (int i = 0; i < THREADS; i++) {
        int seen = number[i];
        if (seen > largest)
            largest = seen;
    }
    number[me] = largest + 1;
    choosing[me] = 0;
    for (int i = 0; i < THREADS; i++) {
        while (choosing[i])
            sched_yield();
        for (int seen; (seen = number[i]) != 0 && (seen < number[me] || (seen == number[me] && i < me));)
            sched_yield();
    }
}

static void *work(void *argument) {
    int me = *(int *)argument;
    for (int i = 0; i < 3; i++) {
        lock(me);
        overlaps += inside;
        inside = 1;
        counter++;
        inside = 0;
        number[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS] = {0, 1, 2};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d, overlaps %d\n", counter, overlaps);
    return 0;
}
