// selvedge: check --no-races
// expect: violation assertion
//
// A library for tracing is switched off by one thread while another one traces.
#include <pthread.h>
#include <selvedge.h>

static int on, depth;

static void enter(void) {
    if (on) {
        depth++;
        selvedge_assert(on);
    }
}

static void leave(void) {
    if (on && depth > 0) {
        depth--;
        selvedge_assert(depth >= 0);
    }
}

static void *work(void *unused) {
    if (selvedge_any_bool())
        enter();
    leave();
    return unused;
}

static void *control(void *unused) {
    on = selvedge_any_int() > 0;
    on = 0;
    return unused;
}

int main(void) {
    on = 1;
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, control, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
