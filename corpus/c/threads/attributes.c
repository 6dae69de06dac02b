// selvedge: run
// expect: exit 0
// seeds: 3
// stdout: stack set 1, joinable 1
// stdout: result 55
// stdout: bad size refused 1
// native: same
//
// Thread attributes: stack size, detach state, and a thread that runs with them.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *sum(void *argument) {
    char scratch[4096];
    intptr_t n = (intptr_t)argument, total = 0;
    for (intptr_t i = 0; i <= n; i++) {
        scratch[i] = (char)i;
        total += scratch[i];
    }
    return (void *)total;
}

int main(void) {
    pthread_attr_t attributes;
    size_t size = 0;
    int state = -1;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_getdetachstate(&attributes, &state);
    printf("stack set %d, joinable %d\n", size == 256 * 1024, state == PTHREAD_CREATE_JOINABLE);
    pthread_t thread;
    void *result;
    pthread_create(&thread, &attributes, sum, (void *)10);
    pthread_join(thread, &result);
    printf("result %ld\n", (long)(intptr_t)result);
    printf("bad size refused %d\n", pthread_attr_setstacksize(&attributes, 1) == EINVAL);
    pthread_attr_destroy(&attributes);
    return 0;
}
