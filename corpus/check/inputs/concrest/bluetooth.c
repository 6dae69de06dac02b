// selvedge: check --no-races
// expect: violation assertion
//
// A driver is stopped while a request is on its way. Inputs say which thread does what.
#include <pthread.h>
#include <selvedge.h>

static int pending = 1, stopping, event, stopped;

static int increment(void) {
    if (stopping)
        return -1;
    pending = pending + 1;
    return 0;
}

static void decrement(void) {
    pending = pending - 1;
    if (pending == 0)
        event = 1;
}

static void add(void) {
    int status = increment();
    if (status == 0)
        selvedge_assert(!stopped);
    decrement();
}

static void stop(void) {
    stopping = 1;
    decrement();
    if (event)
        stopped = 1;
}

static void *dispatch(void *unused) {
    if (selvedge_any_bool())
        add();
    else
        stop();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, dispatch, 0);
    pthread_create(&b, 0, dispatch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
