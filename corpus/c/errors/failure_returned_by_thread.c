// selvedge: run
// expect: exit 1
// seeds: 4
// stdout: worker 0: ok
// stdout: worker 1: failed with 22
// stdout: worker 2: ok
// native: same
//
// Not an error of ours: a thread reports failure through its result, and main passes it on.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *work(void *argument) {
    int input = *(int *)argument;
    if (input < 0)
        return (void *)(intptr_t)EINVAL;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int inputs[3] = {5, -5, 10}, failures = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &inputs[i]);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        if (result) {
            printf("worker %d: failed with %d\n", i, (int)(intptr_t)result);
            failures++;
        } else {
            printf("worker %d: ok\n", i);
        }
    }
    return failures;
}
