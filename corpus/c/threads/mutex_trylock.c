// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: counter 15, every attempt counted 1
// stdout: busy 1, free 1
// native: same
//
// Threads that do something else when the lock is taken; their attempts and successes add up.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int attempts, failures;

static void *work(void *unused) {
    for (int done = 0; done < 5;) {
        attempts++;
        if (pthread_mutex_trylock(&mutex) == 0) {
            counter++;
            done++;
            pthread_mutex_unlock(&mutex);
        } else {
            failures++;
            sched_yield();
        }
    }
    return unused;
}

static void *probe(void *result) {
    *(int *)result = pthread_mutex_trylock(&mutex);
    if (*(int *)result == 0)
        pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d, every attempt counted %d\n", counter, attempts == counter + failures);
    int busy, available;
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[0], NULL, probe, &busy);
    pthread_join(threads[0], NULL);
    pthread_mutex_unlock(&mutex);
    pthread_create(&threads[0], NULL, probe, &available);
    pthread_join(threads[0], NULL);
    printf("busy %d, free %d\n", busy == EBUSY, available == 0);
    return 0;
}
