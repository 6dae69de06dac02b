// selvedge: check
// expect: violation data-race
// mutant: verified

// An attempt to lock that fails tells that another thread has the mutex, and orders nothing.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *writer(void *unused) {
    data = 1;
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, 0, writer, 0);
    if (pthread_mutex_trylock(&mutex) != 0)
        seen = data;
    else
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return seen > 1;
}
