// selvedge: check --no-races --strategy mpc --count-paths --cflags=-DTRIES=1
// expect: verified paths 27
//
// Three threads count down together and wait a little for each other.
#include <pthread.h>

#ifndef TRIES
#define TRIES 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int waiting = 3, last;

static void *start(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting--;
    if (waiting == 0)
        last = 1;
    pthread_mutex_unlock(&mutex);
    int tries = TRIES;
    while (waiting && tries--)
        ;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, start, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
