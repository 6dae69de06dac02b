// selvedge: check --no-races --count-paths --cflags=-DROUNDS=1
// expect: verified paths 11
// selvedge: check --no-races --count-paths --cflags=-DROUNDS=2
// expect: verified paths 39 executions 39
// selvedge: check --count-paths --cflags=-DROUNDS=5
// expect: verified paths 2847 executions 2847
//
// A lock that is counted down by who tries, and up again by everybody.
#include <pthread.h>
#include <selvedge.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lock = 1;

static int fetch_add(int by) {
    pthread_mutex_lock(&mutex);
    int prior = lock;
    lock = prior + by;
    pthread_mutex_unlock(&mutex);
    return prior;
}

static void *work(void *unused) {
    unsigned k = selvedge_any_uint();
    if (k > ROUNDS)
        return unused;
    for (unsigned i = 0; k > i; i++) {
        int held = 0;
        if (fetch_add(-1) == 1)
            held = 1;
        fetch_add(1);
        (void)held;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
