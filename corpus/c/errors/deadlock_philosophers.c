// selvedge: run
// expect-some: violation deadlock
// seeds: 60
//
// Three philosophers who all take the left fork first.
#include <pthread.h>
#include <stdio.h>

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS];

static void *dine(void *argument) {
    int me = *(int *)argument;
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&forks[me]);
        pthread_mutex_lock(&forks[(me + 1) % SEATS]);
        meals[me]++;
        pthread_mutex_unlock(&forks[(me + 1) % SEATS]);
        pthread_mutex_unlock(&forks[me]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    int numbers[SEATS] = {0, 1, 2};
    for (int i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, dine, &numbers[i]);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    printf("meals %d %d %d\n", meals[0], meals[1], meals[2]);
    return 0;
}
