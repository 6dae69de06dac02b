// selvedge: run
// expect: exit 0
// seeds: 3
// stdout: handlers 1 3 2
// stdout: the mutex is free 1
// native: same
//
// Handlers pushed with pthread_cleanup_push run when popped with a one, and when the thread exits inside.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order[4], count;

static void note(void *number) { order[count++] = (int)(intptr_t)number; }

static void release(void *lock) {
    note((void *)3);
    pthread_mutex_unlock(lock);
}

static void *work(void *unused) {
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_pop(1);
    pthread_cleanup_push(note, (void *)9);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, (void *)2);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(release, &mutex);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("handlers");
    for (int i = 0; i < count; i++)
        printf(" %d", order[i]);
    printf("\nthe mutex is free %d\n", pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
