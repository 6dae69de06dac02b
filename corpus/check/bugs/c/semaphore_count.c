// selvedge: check
// expect: violation assertion line 17
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A pool with one connection. A client that finds the pool busy gives up, and gives back a permit that it never had.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int in_use;

static void query(void) {
    int others = atomic_fetch_add(&in_use, 1);
    assert(others == 0);
    atomic_fetch_sub(&in_use, 1);
}

static void *impatient(void *unused) {
    if (sem_trywait(&permits) == 0) {
        query();
#ifdef FIXED
        sem_post(&permits);
    }
#else
    }
    sem_post(&permits);
#endif
    return unused;
}

static void *patient(void *unused) {
    sem_wait(&permits);
    query();
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t clients[3];
    sem_init(&permits, 0, 1);
    pthread_create(&clients[0], NULL, patient, NULL);
    pthread_create(&clients[1], NULL, impatient, NULL);
    pthread_create(&clients[2], NULL, patient, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(clients[i], NULL);
    return 0;
}
