// selvedge: run
// expect: unknown unsupported
//
// Cancellation of a thread is not modelled, and must be said so instead of ignored.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *sleep_for_ever(void *unused) {
    for (;;)
        pause();
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, sleep_for_ever, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("cancelled %d\n", result == PTHREAD_CANCELED);
    return 0;
}
