// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two players meet before a game. Black only looks whether white is there already, and leaves if not; white then waits
// for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t white_here, black_here;

static void *white(void *unused) {
    sem_post(&white_here);
    sem_wait(&black_here);
    return unused;
}

static void *black(void *unused) {
#ifdef FIXED
    sem_post(&black_here);
    sem_wait(&white_here);
#else
    if (sem_trywait(&white_here) != 0)
        return unused;
    sem_post(&black_here);
#endif
    return unused;
}

int main(void) {
    pthread_t one, other;
    sem_init(&white_here, 0, 0);
    sem_init(&black_here, 0, 0);
    pthread_create(&one, NULL, white, NULL);
    pthread_create(&other, NULL, black, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
