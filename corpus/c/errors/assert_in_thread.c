// selvedge: run
// expect: violation assertion line 15
// seeds: 5
//
// An assertion that fails in the second of three threads, whatever the schedule.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int limits[3] = {10, 2, 10};

static void *work(void *argument) {
    int me = *(int *)argument;
    for (int i = 0; i < 5; i++)
        assert(i < limits[me]); // fault: thread 1 passes its limit
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int numbers[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("never reached\n");
    return 0;
}
