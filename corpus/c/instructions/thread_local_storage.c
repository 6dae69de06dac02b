// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: thread 0: counter 10, buffer 0000, address kept 1
// stdout: thread 1: counter 11, buffer 1111, address kept 1
// stdout: thread 2: counter 12, buffer 2222, address kept 1
// stdout: main: counter 5, zero 0, distinct 1
// native: same
//
// _Thread_local: initial values in every thread, zero-filled ones, static ones in functions, distinct addresses.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static _Thread_local int counter = 5;
_Thread_local char buffer[8];
static char results[3][64];
static int *addresses[3];

static int *slot(void) {
    static _Thread_local int calls = 4;
    calls++;
    return &calls;
}

static void *work(void *argument) {
    int me = *(int *)argument;
    int *first = slot();
    for (int i = 0; i < 5 + me; i++)
        counter++;
    memset(buffer, '0' + me, 4);
    addresses[me] = &counter;
    int kept = slot() == first && *first == 6;
    snprintf(results[me], sizeof results[me], "counter %d, buffer %s, address kept %d", counter, buffer, kept);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int numbers[3] = {0, 1, 2}, distinct = 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) {
        printf("thread %d: %s\n", i, results[i]);
        distinct &= addresses[i] != &counter;
    }
    printf("main: counter %d, zero %d, distinct %d\n", counter, buffer[0], distinct);
    return 0;
}
