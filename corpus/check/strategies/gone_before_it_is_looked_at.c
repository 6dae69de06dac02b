// selvedge: check --strategy auto --no-races --keep-going
// expect: violation assertion
// expect: violation memory
// selvedge: check --strategy states --no-races --keep-going
// expect: violation assertion
// expect: violation memory
// selvedge: check --strategy dpor --no-races --keep-going
// expect: violation assertion
// expect: violation memory
// selvedge: check --strategy optimal --no-races --keep-going
// expect: violation assertion
// expect: violation memory
// selvedge: check --strategy icb --no-races --keep-going
// expect: violation assertion
// expect: violation memory
// selvedge: check --strategy dpor --model tso --no-races --keep-going
// expect: violation assertion
// expect: violation memory
// selvedge: check --strategy optimal --model pso --no-races --keep-going
// expect: violation assertion
// expect: violation memory
//
// What is gone is accessed in the step that reads its address. Nothing announces that access, but it could have come before
// the end of the object.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *end(void *argument) {
    free(shared);
    return argument;
}

static void *look(void *argument) {
    int seen = *shared;
    assert(seen == 0);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&threads[0], 0, end, 0);
    pthread_create(&threads[1], 0, look, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
