// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: value 6, conflicts 0
// native: same
//
// A reader-writer lock of our own on a mutex and a condition variable, with preference for writers.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, writers_waiting;
static int value;
static atomic_int reading_now, writing_now, conflicts;

static void *reader(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        while (writing || writers_waiting)
            pthread_cond_wait(&changed, &mutex);
        readers++;
        pthread_mutex_unlock(&mutex);

        reading_now++;
        if (writing_now || value < 0)
            conflicts++;
        reading_now--;

        pthread_mutex_lock(&mutex);
        if (--readers == 0)
            pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        writers_waiting++;
        while (writing || readers)
            pthread_cond_wait(&changed, &mutex);
        writers_waiting--;
        writing = 1;
        pthread_mutex_unlock(&mutex);

        if (writing_now++ || reading_now)
            conflicts++;
        int seen = value;
        value = -1;
        value = seen + 1;
        writing_now--;

        pthread_mutex_lock(&mutex);
        writing = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? writer : reader, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("value %d, conflicts %d\n", value, conflicts);
    return 0;
}
