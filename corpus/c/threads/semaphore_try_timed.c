// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: trywait EAGAIN 1
// stdout: timedwait ETIMEDOUT 1
// stdout: after two posts 2: 0 0 0
// stdout: ordered abc
// native: same
//
// Semaphores that are empty, that are full, and that put three threads in order.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t gates[3];
static char order[4];
static int written;

static void *step(void *argument) {
    int me = *(int *)argument;
    sem_wait(&gates[me]);
    order[written++] = (char)('a' + me);
    if (me < 2)
        sem_post(&gates[me + 1]);
    return NULL;
}

int main(void) {
    sem_t empty;
    sem_init(&empty, 0, 0);
    int code = sem_trywait(&empty);
    printf("trywait EAGAIN %d\n", code == -1 && errno == EAGAIN);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += limit.tv_nsec >= 995000000;
    limit.tv_nsec = (limit.tv_nsec + 5000000) % 1000000000;
    code = sem_timedwait(&empty, &limit);
    printf("timedwait ETIMEDOUT %d\n", code == -1 && errno == ETIMEDOUT);
    int value;
    sem_post(&empty);
    sem_post(&empty);
    sem_getvalue(&empty, &value);
    printf("after two posts %d:", value);
    printf(" %d", sem_trywait(&empty));
    printf(" %d", sem_timedwait(&empty, &limit));
    sem_getvalue(&empty, &value);
    printf(" %d\n", value);

    pthread_t threads[3];
    int numbers[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        sem_init(&gates[i], 0, i == 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[2 - i], NULL, step, &numbers[2 - i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("ordered %s\n", order);
    return 0;
}
