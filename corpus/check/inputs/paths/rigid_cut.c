// selvedge: check --no-races --strategy mpc --count-paths
// expect: verified paths 3
//
// A flag is consumed and reset while its setter looks at it again: the write that changes the setter's mind lies behind a
// decision that needs the setter's own write.
#include <pthread.h>

static int x;

static void *consume(void *unused) {
    if (x > 0)
        x = 0;
    return unused;
}

static void *set(void *unused) {
    static int seen;
    x = 1;
    if (x == 1)
        seen = 1;
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consume, 0);
    pthread_create(&b, 0, set, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
