// selvedge: run
// expect: violation deadlock
// seeds: 4
//
// Three permits are needed, two are ever given.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t permits;

static void *give(void *unused) {
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&permits, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, give, NULL);
    for (int i = 0; i < 3; i++)
        sem_wait(&permits);
    printf("never reached\n");
    return 0;
}
