// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: taken 10, sum 55
// native: same
// cflags: -O2
//
// The bounded buffer with three semaphores, compiled with -O2.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { SLOTS = 2 };

static sem_t empty, full, access;
static int slots[SLOTS], in, out, taken, sum;

static void *produce(void *argument) {
    int first = *(int *)argument;
    for (int i = 0; i < 5; i++) {
        sem_wait(&empty);
        sem_wait(&access);
        slots[in] = first + i;
        in = (in + 1) % SLOTS;
        sem_post(&access);
        sem_post(&full);
    }
    return NULL;
}

static void *consume(void *unused) {
    for (int i = 0; i < 5; i++) {
        sem_wait(&full);
        sem_wait(&access);
        sum += slots[out];
        out = (out + 1) % SLOTS;
        taken++;
        sem_post(&access);
        sem_post(&empty);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    int firsts[2] = {1, 6};
    sem_init(&empty, 0, SLOTS);
    sem_init(&full, 0, 0);
    sem_init(&access, 0, 1);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, produce, &firsts[i]);
        pthread_create(&threads[2 + i], NULL, consume, NULL);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("taken %d, sum %d\n", taken, sum);
    return 0;
}
