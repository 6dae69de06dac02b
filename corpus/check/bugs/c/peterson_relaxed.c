// selvedge: check
// expect: violation assertion line 37
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: violation assertion line 37
// selvedge: check --model tso --cflags=-DFIXED
// expect: verified
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// Peterson's lock with release stores and acquire loads. That is not enough: the look at the other one's intent can
// come before the own intent is in memory.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#else
#define STORE memory_order_release
#define LOAD memory_order_acquire
#endif

static atomic_int intent[2], turn, inside;

static void *party(void *number) {
    int me = (int)(long)number, other = 1 - me;
    atomic_store_explicit(&intent[me], 1, STORE);
    atomic_store_explicit(&turn, other, STORE);
    while (atomic_load_explicit(&intent[other], LOAD) && atomic_load_explicit(&turn, LOAD) == other)
        ;
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store_explicit(&intent[me], 0, STORE);
    return NULL;
}

int main(void) {
    pthread_t parties[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&parties[i], NULL, party, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(parties[i], NULL);
    return 0;
}
