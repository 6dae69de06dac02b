// selvedge: check --model sc
// expect: violation memory
// selvedge: check --model sc --strategy states
// expect: violation memory
// selvedge: check --model sc --strategy optimal
// expect: violation memory
// selvedge: check --model sc --no-spurious
// expect: verified

// The signal comes after the mutex was given back, and only if a thread waits. A thread that wakes for no reason in between
// frees the condition variable before it is signalled.
#include <pthread.h>
#include <stdlib.h>

struct gate {
    pthread_cond_t changed;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct gate *gate;
static int waits, open;

static void *pass(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!open) {
        waits = 1;
        pthread_cond_wait(&gate->changed, &mutex);
    }
    if (waits)
        free(gate);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    gate = malloc(sizeof *gate);
    pthread_cond_init(&gate->changed, 0);
    pthread_create(&thread, 0, pass, 0);
    pthread_mutex_lock(&mutex);
    open = 1;
    int wakes = waits;
    pthread_mutex_unlock(&mutex);
    if (wakes)
        pthread_cond_signal(&gate->changed);
    pthread_join(thread, 0);
    return 0;
}
