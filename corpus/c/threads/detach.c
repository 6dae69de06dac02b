// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: all three done, sum 6
// native: same
//
// Detached threads, by pthread_detach from both sides and by attribute, report through a semaphore.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static sem_t done;
static atomic_int sum;

static void *work(void *argument) {
    sum += (int)(intptr_t)argument;
    sem_post(&done);
    return NULL;
}

static void *work_detached(void *argument) {
    pthread_detach(pthread_self());
    return work(argument);
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, (void *)1);
    pthread_detach(thread);
    pthread_create(&thread, NULL, work_detached, (void *)2);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, (void *)3);
    pthread_attr_destroy(&attributes);
    for (int i = 0; i < 3; i++)
        sem_wait(&done);
    printf("all three done, sum %d\n", sum);
    return 0;
}
