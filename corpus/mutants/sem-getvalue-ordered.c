// selvedge: check
// expect: violation data-race
// mutant: verified

// Who sees that a semaphore was posted has not waited for it: nothing orders the two accesses to `data`, though no
// sequentially consistent execution has them at the same time.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int data;

static void *writer(void *unused) {
    data = 1;
    sem_post(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = 0;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, writer, 0);
    sem_getvalue(&ready, &value);
    int seen = value ? data : 0;
    pthread_join(thread, 0);
    return seen > 1;
}
