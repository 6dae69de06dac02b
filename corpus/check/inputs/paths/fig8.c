// selvedge: check --no-races --count-paths --cflags=-DCOUNT
// expect: verified paths 4 executions 4
// selvedge: check --no-races
// expect: violation assertion
//
// The write that the second thread waits for is behind two decisions about inputs.
#include <pthread.h>
#include <selvedge.h>

#ifdef COUNT
#define FAIL() (x = 0)
#else
#define FAIL() selvedge_assert(false)
#endif

static int x;

static void *first(void *unused) {
    int i = selvedge_any_int(), j = selvedge_any_int();
    if (i > 0) {
    } else if (j > 0)
        x = 2;
    return unused;
}

static void *second(void *unused) {
    if (x == 2)
        FAIL();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
