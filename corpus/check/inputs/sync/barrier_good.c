// selvedge: check --no-races
// expect: verified
//
// What was written before a barrier is seen after it, and one thread was the last.
#include <pthread.h>
#include <selvedge.h>

static pthread_barrier_t barrier;
static int value, serial;

static void *work(void *unused) {
    value = selvedge_any_int();
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial = 1;
    return unused;
}

int main(void) {
    pthread_barrier_init(&barrier, 0, 2);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int mine = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_join(thread, 0);
    selvedge_assert(mine + serial == 1);
    pthread_barrier_destroy(&barrier);
    return 0;
}
