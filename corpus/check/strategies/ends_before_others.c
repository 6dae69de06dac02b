// selvedge: check --strategy auto --count-views
// expect: violation assertion
// selvedge: check --strategy states --count-views
// expect: violation assertion
// selvedge: check --strategy dpor --count-views
// expect: violation assertion
// selvedge: check --strategy optimal --count-views
// expect: violation assertion
// selvedge: check --strategy icb --count-views
// expect: violation assertion
// selvedge: check --strategy mcr --count-views
// expect: violation assertion
// selvedge: check --strategy se-mcr --count-views
// expect: violation assertion
// selvedge: check --strategy viequi --count-views
// expect: violation assertion
// selvedge: check --strategy auto
// expect: violation assertion
// selvedge: check --strategy states
// expect: violation assertion
// selvedge: check --strategy dpor
// expect: violation assertion
// selvedge: check --strategy optimal
// expect: violation assertion
// selvedge: check --strategy icb
// expect: violation assertion
// selvedge: check --strategy mcr
// expect: violation assertion
// selvedge: check --strategy se-mcr
// expect: violation assertion
// selvedge: check --strategy viequi
// expect: violation assertion
// selvedge: check --strategy auto --model tso
// expect: violation assertion
// selvedge: check --strategy optimal --model tso
// expect: violation assertion
// selvedge: check --strategy mcr --model tso
// expect: violation assertion

// Nobody waits for the thread that fails: main returns, and the program may end before the thread comes to that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void *fail(void *argument) {
    int seen = atomic_load(&number);
    assert(seen == 0); // fault: main may have stored by then
    atomic_store(&number, 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
    atomic_store(&number, 1);
    return 0;
}
