// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: sleeps 0 0 0 0
// stdout: counter 3
// native: same
//
// Sleeps return, and order nothing: what must be ordered is ordered by joins.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static atomic_int counter;

static void *work(void *argument) {
    usleep(100u * *(unsigned *)argument);
    counter++;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    unsigned delays[3] = {3, 1, 2};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &delays[i]);
    struct timespec little = {0, 100000}, rest = {0, 0};
    int a = nanosleep(&little, &rest), b = usleep(50), c = sched_yield();
    int d = clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL);
    printf("sleeps %d %d %d %d\n", a, b, c, d);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d\n", counter);
    return 0;
}
