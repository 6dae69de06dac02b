// selvedge: check
// expect: verified
// mutant: violation
//
// A thread's function takes an int, and is given a pointer that is none: only its lower half counts.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *work(int number) {
    assert(number == -5);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, (void *(*)(void *))work, (void *)(intptr_t)-5);
    pthread_join(thread, 0);
    return 0;
}
