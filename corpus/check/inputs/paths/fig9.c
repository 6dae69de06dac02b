// selvedge: check --no-races --strategy mpc
// expect: violation assertion
// selvedge: check --no-races --strategy mpc --count-paths --cflags=-DN=1 --cflags=-DCOUNT
// expect: verified paths 3
// selvedge: check --no-races --strategy mpc --count-paths --cflags=-DN=2 --cflags=-DCOUNT
// expect: verified paths 7
// selvedge: check --no-races --strategy mpc --count-paths --cflags=-DN=3 --cflags=-DCOUNT
// expect: verified paths 15
//
// A thread that counts and sometimes starts again, beside one that only counts.
//
// A thread that counts and sometimes starts again, beside one that only counts.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static int x;

static void *restart(void *unused) {
    for (int k = 0; k < N; k++) {
        int next = x;
        next = next + 1;
        x = next;
        if (x == next)
            x = 0;
    }
    return unused;
}

static void *count(void *unused) {
    for (int k = 0; k < N; k++)
        x++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, restart, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef COUNT
    if (x == 2 * N)
        x = 0;
#else
    assert(x != 2 * N);
#endif
    return 0;
}
