// selvedge: check --no-races --strategy mpc --count-paths --cflags=-DROUNDS=1
// expect: verified paths 8
// selvedge: check --no-races --strategy mpc --count-paths --cflags=-DROUNDS=2
// expect: verified paths 20
//
// Two threads let each other go first, for a while.
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static int flags[2], turn, shared;

static void *enter(void *argument) {
    int me = argument != 0, other = 1 - me;
    flags[me] = 1;
    turn = other;
    int times = ROUNDS;
    while (times-- && flags[other] == 1 && turn == other)
        ;
    shared++;
    flags[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, &flags);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
