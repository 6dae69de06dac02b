// selvedge: check --cflags=-DN=2
// expect: verified
//
// N accounts with an owner each, who pays in, pays out, and transfers to the next account, for which it takes only the
// lock of its own one.
#include "bench.h"

#ifndef N
#define N 3
#endif

static pthread_mutex_t locks[N];
static atomic_int amounts[N];

static void add(int account, int amount) {
    atomic_store(&amounts[account], atomic_load(&amounts[account]) + amount);
}

static void *own(void *argument) {
    int me = number_of(argument);
    int changes[] = {300, -100};
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[me]);
        add(me, changes[i]);
        pthread_mutex_unlock(&locks[me]);
    }
    pthread_mutex_lock(&locks[me]);
    add((me + 1) % N, 100);
    add(me, -100);
    pthread_mutex_unlock(&locks[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (int i = 0; i < N; i++)
        threads[i] = start(own, i);
    for (int i = 0; i < N; i++)
        join(threads[i]);
    return 0;
}
