// selvedge: check --strategy auto
// expect: violation memory
// selvedge: check --strategy states
// expect: violation memory
// selvedge: check --strategy dpor
// expect: violation memory
// selvedge: check --strategy optimal
// expect: violation memory
// selvedge: check --strategy icb
// expect: violation memory
// selvedge: check --strategy mcr
// expect: violation memory
// selvedge: check --strategy mcr-s
// expect: violation memory
// selvedge: check --strategy se-mcr
// expect: violation memory
// selvedge: check --strategy viequi
// expect: violation memory
//
// The last look at a variable that goes when its function ends. When the function ends last, nobody else is there any more.
#include <pthread.h>
#include <semaphore.h>

static sem_t begun;
static int seen;

static void *look(void *at) {
    sem_post(&begun);
    seen = __atomic_load_n((int *)at, __ATOMIC_SEQ_CST);
    return 0;
}

static void start(pthread_t *thread) {
    int local = 5;
    pthread_create(thread, 0, look, &local);
    sem_wait(&begun);
}

int main(void) {
    pthread_t thread;
    sem_init(&begun, 0, 0);
    start(&thread);
    pthread_join(thread, 0);
    return 0;
}
