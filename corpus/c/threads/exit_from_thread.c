// selvedge: run
// expect: exit 42
// seeds: 5
// stdout: thread says goodbye
// stdout: handler
// native: same
//
// exit in a thread ends the whole program with that code while main is still waiting.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void handler(void) { printf("handler\n"); }

static void *leave(void *unused) {
    (void)unused;
    printf("thread says goodbye\n");
    exit(42);
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&never, &mutex);
}
