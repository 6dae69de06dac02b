// selvedge: check --cflags=-DN=2
// expect: verified
//
// N players look at the ball, take it away and put it back: others may find none.
#include "bench.h"

#ifndef N
#define N 3
#endif

static atomic_int ball = 1;

static void *play(void *argument) {
    if (!atomic_load(&ball))
        return NULL;
    int mine = atomic_load(&ball);
    atomic_store(&ball, 0);
    atomic_store(&ball, mine);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        threads[i] = start(play, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
