// selvedge: check --no-races
// expect: violation assertion
// selvedge: check --no-races --count-paths --cflags=-DCOUNT
// expect: verified paths 2 executions 2
//
// Two threads write inputs and then something small; a third one is surprised by a large number.
#include <pthread.h>
#include <selvedge.h>

#ifdef COUNT
#define FAIL() (y = 1)
#else
#define FAIL() selvedge_assert(false)
#endif

static int x, y;

static void *first(void *unused) {
    x = selvedge_any_int();
    x = 2;
    return unused;
}

static void *second(void *unused) {
    x = selvedge_any_int();
    x = 4;
    return unused;
}

static void *third(void *unused) {
    if (x >= 100)
        FAIL();
    else
        y = 2;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *(*functions[3])(void *) = {first, second, third};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, functions[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
