// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: squares 0 1 4 9 16 25 36 49
// stdout: done 8
// native: same
//
// Three workers take jobs from a queue until it is closed and empty.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    void (*run)(void *);
    void *argument;
    struct job *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static struct job *first, **last = &first;
static int closed, done;

static void submit(void (*run)(void *), void *argument) {
    struct job *job = malloc(sizeof *job);
    *job = (struct job){run, argument, NULL};
    pthread_mutex_lock(&mutex);
    *last = job;
    last = &job->next;
    pthread_cond_signal(&available);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (!first && !closed)
            pthread_cond_wait(&available, &mutex);
        struct job *job = first;
        if (job && !(first = job->next))
            last = &first;
        done += job != NULL;
        pthread_mutex_unlock(&mutex);
        if (!job)
            return unused;
        job->run(job->argument);
        free(job);
    }
}

static void square(void *argument) { *(int *)argument *= *(int *)argument; }

int main(void) {
    pthread_t workers[3];
    int values[8];
    for (int i = 0; i < 3; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < 8; i++) {
        values[i] = i;
        submit(square, &values[i]);
    }
    pthread_mutex_lock(&mutex);
    closed = 1;
    pthread_cond_broadcast(&available);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++)
        pthread_join(workers[i], NULL);
    printf("squares");
    for (int i = 0; i < 8; i++)
        printf(" %d", values[i]);
    printf("\ndone %d\n", done);
    return 0;
}
