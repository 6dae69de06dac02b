// selvedge: run
// expect: exit 3
// seeds: 5
// stdout: main does not wait
// native: same
//
// Returning from main ends the program, with threads that wait for ever or spin for ever still there.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static sem_t never;
static atomic_int spin = 1;

static void *wait_for_ever(void *unused) {
    sem_wait(&never);
    printf("never printed\n");
    return unused;
}

static void *spin_for_ever(void *unused) {
    while (spin)
        sched_yield();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&never, 0, 0);
    pthread_create(&threads[0], NULL, wait_for_ever, NULL);
    pthread_create(&threads[1], NULL, spin_for_ever, NULL);
    printf("main does not wait\n");
    return 3;
}
