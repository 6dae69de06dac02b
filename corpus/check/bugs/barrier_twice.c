// selvedge: check
// expect: violation misuse line 20
// selvedge: check --model sc
// expect: violation misuse line 20
// selvedge: check --model tso --strategy optimal
// expect: violation misuse line 20
// selvedge: check --cflags -DFIXED
// expect: verified
//
// A barrier is initialised a second time without having been destroyed.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused) {
#ifdef FIXED
    if (unused == &barrier) pthread_barrier_init(&barrier, NULL, 1);
#else
    if (unused == NULL)
        pthread_barrier_init(&barrier, NULL, 1); // fault: main has done so, and has not destroyed it
#endif
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
