// selvedge: check
// expect: violation deadlock
//
// A limit of time does not help who needs a mutex back that nobody gives back.
#include <pthread.h>
#include <selvedge.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait(void *unused) {
    struct timespec limit = {5, 0};
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    int n = selvedge_any_int();
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    pthread_mutex_lock(&mutex);
    if (n != 77)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
