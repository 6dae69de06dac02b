// selvedge: check --model sc --strategy auto
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --model sc --strategy icb
// expect: violation assertion
// selvedge: check --model sc --strategy mcr
// expect: violation assertion
// selvedge: check --model sc --strategy se-mcr
// expect: violation assertion
// selvedge: check --model sc --strategy viequi
// expect: violation assertion
// selvedge: check --model tso --strategy auto
// expect: violation assertion
// selvedge: check --model tso --strategy states
// expect: violation assertion
// selvedge: check --model tso --strategy dpor
// expect: violation assertion
// selvedge: check --model tso --strategy optimal
// expect: violation assertion
// selvedge: check --model tso --strategy icb
// expect: violation assertion
// selvedge: check --model tso --strategy mcr
// expect: violation assertion
// selvedge: check --model tso --strategy se-mcr
// expect: violation assertion
// selvedge: check --model tso --strategy viequi
// expect: violation assertion
// selvedge: check --model rc11 --strategy optimal
// expect: violation assertion
// selvedge: check --model mca --strategy optimal
// expect: violation assertion
// selvedge: check --model sc --strategy random
// expect: violation assertion
// selvedge: check --model sc --strategy pct
// expect: violation assertion

// Main is alone between the threads, and runs on without being chosen.
#include <assert.h>
#include <pthread.h>

static void *nothing(void *argument) { return argument; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    assert(0);
}
