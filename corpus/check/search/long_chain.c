// selvedge: check
// expect: violation deadlock
// selvedge: check --model tso
// expect: violation deadlock

// Two hundred stores without alternative, then a wait that nothing ends. The argument only makes other states of it.

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;
static sem_t never;

static void *store(void *first) {
    for (int i = 0; i < 200; i++)
        atomic_store(&value, *(int *)first + i);
    sem_wait(&never);
    return NULL;
}

int main(int count, char **arguments) {
    int first = count > 1 ? atoi(arguments[1]) * 1000 : 0;
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, store, &first);
    pthread_join(thread, NULL);
    return 0;
}
