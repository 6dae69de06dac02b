// selvedge: check
// expect: violation assertion line 34
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A spinning barrier for several rounds. Its sense is set when all have arrived and never turned round, so that it
// stands open from the second round on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PARTIES = 2, ROUNDS = 2 };

static atomic_int missing = PARTIES;
static atomic_int sense;
static atomic_int finished[ROUNDS];

static void await_others(int open) {
    if (atomic_fetch_sub(&missing, 1) == 1) {
        atomic_store(&missing, PARTIES);
        atomic_store(&sense, open);
    } else {
        while (atomic_load(&sense) != open)
            ;
    }
}

static void *party(void *unused) {
    int open = 1;
    for (int round = 0; round < ROUNDS; round++) {
        atomic_fetch_add(&finished[round], 1);
        await_others(open);
        int seen = atomic_load(&finished[round]);
        assert(seen == PARTIES);
#ifdef FIXED
        open = 1 - open;
#endif
    }
    return unused;
}

int main(void) {
    pthread_t parties[PARTIES];
    for (int i = 0; i < PARTIES; i++)
        pthread_create(&parties[i], NULL, party, NULL);
    for (int i = 0; i < PARTIES; i++)
        pthread_join(parties[i], NULL);
    return 0;
}
