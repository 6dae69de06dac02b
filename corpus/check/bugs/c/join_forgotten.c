// selvedge: check
// expect: violation memory line 11
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A function starts a thread that works on one of its local variables and returns without waiting for it.
#include <pthread.h>
#include <stdatomic.h>

static void *add(void *sum) {
    atomic_fetch_add((atomic_int *)sum, 2);
    return NULL;
}

static pthread_t start(void) {
    atomic_int sum = 1;
    pthread_t helper;
    pthread_create(&helper, NULL, add, &sum);
#ifdef FIXED
    pthread_join(helper, NULL);
#endif
    return helper;
}

int main(void) {
    pthread_t helper = start();
#ifdef FIXED
    (void)helper;
#else
    pthread_join(helper, NULL);
#endif
    return 0;
}
