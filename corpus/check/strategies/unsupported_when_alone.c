// selvedge: check --model sc --strategy random
// expect: unknown utime
// selvedge: check --model sc --strategy pct
// expect: unknown utime
// selvedge: check --model sc --strategy optimal
// expect: unknown utime
// selvedge: check --model sc --strategy dpor
// expect: unknown utime
// selvedge: check --model sc --strategy icb
// expect: unknown utime
// selvedge: check --model sc --strategy states
// expect: unknown utime
// selvedge: check --model sc --strategy auto
// expect: unknown utime
// selvedge: check --model sc --strategy se-mcr
// expect: unknown utime
// selvedge: check --model sc --strategy viequi
// expect: unknown utime

// Main has run on alone to a function that has no model.
#include <pthread.h>
#include <utime.h>

static void *nothing(void *argument) { return argument; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    utime("x", NULL);
    return 0;
}
