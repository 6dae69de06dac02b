// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: 123123123
// native: same
// cflags: -O2
//
// Threads that print in turn with flockfile, at -O2; the stream is shared and its lock is recursive.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t turns[3];

static void *print(void *argument) {
    int me = *(int *)argument;
    for (int i = 0; i < 3; i++) {
        sem_wait(&turns[me]);
        flockfile(stdout);
        putchar_unlocked('1' + me);
        if (me == 2 && i == 2)
            puts("");
        funlockfile(stdout);
        sem_post(&turns[(me + 1) % 3]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int numbers[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        sem_init(&turns[i], 0, i == 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, print, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
