// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: released 4, order kept 1
// native: same
//
// One broadcast wakes everyone who waits, and nobody starts before the gate opens.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static pthread_cond_t opened, all_waiting;
static int waiting, is_open, released, early;

static void *runner(void *unused) {
    pthread_mutex_lock(&mutex);
    if (++waiting == 4)
        pthread_cond_signal(&all_waiting);
    while (!is_open)
        pthread_cond_wait(&opened, &mutex);
    released++;
    early |= !is_open;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&opened, NULL);
    pthread_cond_init(&all_waiting, NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, runner, NULL);
    pthread_mutex_lock(&mutex);
    while (waiting < 4)
        pthread_cond_wait(&all_waiting, &mutex);
    early |= released != 0;
    is_open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("released %d, order kept %d\n", released, !early);
    pthread_cond_destroy(&opened);
    pthread_cond_destroy(&all_waiting);
    return pthread_mutex_destroy(&mutex);
}
