// selvedge: run
// expect: exit 0
// seeds: 3
// stdout: joining oneself: EDEADLK 1
// native: same
//
// Not an error of ours: the library sees that a thread joins itself and refuses.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *result) {
    *(int *)result = pthread_join(pthread_self(), NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result = 0;
    pthread_create(&thread, NULL, work, &result);
    pthread_join(thread, NULL);
    printf("joining oneself: EDEADLK %d\n", result == EDEADLK);
    return 0;
}
