// selvedge: run
// expect: violation deadlock
// seeds: 4
//
// The barrier was made for three, but only main and one thread ever come.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;

static void *come(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, come, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    printf("never reached\n");
    return 0;
}
