// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: at most two inside: 1
// stdout: value 2, total 16
// native: same
//
// A semaphore with two permits lets at most two threads in.
#include <semaphore.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static sem_t permits;
static atomic_int inside, most, total;

static void *enter(void *unused) {
    for (int i = 0; i < 4; i++) {
        sem_wait(&permits);
        int now = ++inside, before = most;
        while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
            ;
        total++;
        inside--;
        sem_post(&permits);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    sem_init(&permits, 0, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, enter, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    int value;
    sem_getvalue(&permits, &value);
    printf("at most two inside: %d\n", most >= 1 && most <= 2);
    printf("value %d, total %d\n", value, total);
    return sem_destroy(&permits);
}
