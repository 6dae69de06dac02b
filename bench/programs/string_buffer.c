// selvedge: check --cflags=-DN=2
// expect: verified
//
// A text is appended to another one: its length and then its characters, each under its lock, while a second thread
// shortens it; N times.
#include "bench.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int length = 3, characters[3] = {1, 2, 3};

static void *append(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        int count = atomic_load(&length);
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (count <= atomic_load(&length))
            for (int at = 0; at < count; at++)
                (void)atomic_load(&characters[at]);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *shorten(void *argument) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (atomic_load(&length) > 0)
            atomic_store(&length, atomic_load(&length) - 1);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(append, 0), second = start(shorten, 1);
    join(first);
    join(second);
    return 0;
}
