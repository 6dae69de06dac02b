// selvedge: check --no-races
// expect: violation assertion
// selvedge: check --no-races --cflags=-DHELPERS=3
// expect: violation assertion
// selvedge: check --no-races --count-paths --cflags=-DCOUNT
// expect: verified paths 10
// selvedge: check --no-races --count-paths --cflags=-DCOUNT --cflags=-DHELPERS=1
// expect: verified paths 16
// selvedge: check --no-races --count-paths --cflags=-DCOUNT --cflags=-DHELPERS=7
// expect: verified paths 772 executions 772
//
// A crash that needs certain inputs of several threads and one order of their accesses.
#include <pthread.h>
#include <selvedge.h>

#ifndef HELPERS
#define HELPERS 0
#endif

#ifdef COUNT
#define FAIL() (y = 0)
#else
#define FAIL() selvedge_assert(false)
#endif

static int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    int i = selvedge_any_int();
    x = 2;
    y = 5;
    if (i == 3) {
        x++;
        pthread_mutex_lock(&lock);
        y--;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *second(void *unused) {
    x = 100;
    unsigned j = selvedge_any_uint();
    selvedge_assume(j <= 2);
    while (j-- > 0) {
        pthread_mutex_lock(&lock);
        y++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *third(void *unused) {
    x = 5;
    y = 0;
    if (x == 101 + HELPERS)
        if (y == 2)
            FAIL();
    return unused;
}

static void *helper(void *unused) {
    if (selvedge_any_int() == 10)
        x++;
    return unused;
}

int main(void) {
    pthread_t threads[3 + HELPERS];
    void *(*functions[3])(void *) = {first, second, third};
    for (int i = 0; i < 3 + HELPERS; i++)
        pthread_create(&threads[i], 0, i < 3 ? functions[i] : helper, 0);
    for (int i = 0; i < 3 + HELPERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
