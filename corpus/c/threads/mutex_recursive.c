// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: trylock while held by another: 1
// stdout: depth 5, released 1, total 60
// native: same
//
// A recursive mutex: taken many times by its owner, refused to others until the last release.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static int depth, deepest, total;

static void descend(int levels) {
    pthread_mutex_lock(&mutex);
    if (++depth > deepest)
        deepest = depth;
    if (levels > 1)
        descend(levels - 1);
    total++;
    depth--;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused) {
    for (int i = 0; i < 4; i++)
        descend(5);
    return unused;
}

static void *attempt(void *result) {
    *(int *)result = pthread_mutex_trylock(&mutex);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);

    pthread_t threads[3], prober;
    int refused = 0;
    pthread_mutex_lock(&mutex);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_create(&prober, NULL, attempt, &refused);
    pthread_join(prober, NULL);
    pthread_mutex_unlock(&mutex);
    printf("trylock while held by another: %d\n", refused == EBUSY);

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("depth %d, released %d, total %d\n", deepest, depth == 0, total);
    return pthread_mutex_destroy(&mutex);
}
