// selvedge: check --count-views --cflags=-DN=3
// expect: verified classes 12
//
// Four threads write 1 and look at each other, N times: whatever they see is 0 until it is 1.
#include "bench.h"

#ifndef N
#define N 10
#endif

static atomic_int x, y;

static void *write_x(void *argument) {
    for (int i = 0; i < N; i++)
        atomic_store(&x, 1);
    return NULL;
}

static void *look_at_y(void *argument) {
    for (int i = 0; i < N; i++) {
        (void)atomic_load(&y);
        atomic_store(&x, 1);
    }
    return NULL;
}

static void *look_at_x(void *argument) {
    for (int i = 0; i < N; i++) {
        (void)atomic_load(&x);
        atomic_store(&y, 1);
    }
    return NULL;
}

static void *write_y(void *argument) {
    for (int i = 0; i < N; i++)
        atomic_store(&y, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[] = {start(write_x, 0), start(look_at_y, 1), start(look_at_x, 2), start(write_y, 3)};
    for (int i = 0; i < 4; i++)
        join(threads[i]);
    return 0;
}
