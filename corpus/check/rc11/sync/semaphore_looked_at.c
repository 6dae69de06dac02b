// selvedge: check
// expect: violation data-race
// selvedge: check --model rc11 --strategy auto
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal
// expect: violation data-race
// selvedge: check --model mca --strategy auto
// expect: violation data-race
// selvedge: check --model mca --strategy optimal
// expect: violation data-race
// selvedge: check --without sc-first
// expect: violation data-race

// The value of a semaphore tells that it was posted, and orders nothing: no sequentially consistent execution has both
// accesses at once, and they race all the same.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t posted;
static int data;

static void *post(void *argument) {
    data = 1;
    sem_post(&posted);
    return argument;
}

int main(void) {
    pthread_t thread;
    int value = 0;
    sem_init(&posted, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    sem_getvalue(&posted, &value);
    if (value > 0)
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
