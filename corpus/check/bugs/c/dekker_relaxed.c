// selvedge: check
// expect: violation assertion line 36
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: violation assertion line 36
// selvedge: check --model pso
// expect: violation assertion line 36
// selvedge: check --model tso --cflags=-DFIXED
// expect: verified
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// Who wants to enter raises a flag and stays out if the other one's is up. A raised flag may still be on its way to
// memory when the other one is looked at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif

static atomic_int wants[2];
static atomic_int inside;

static void *visitor(void *number) {
    int me = (int)(long)number;
    atomic_store_explicit(&wants[me], 1, ORDER);
    if (atomic_load_explicit(&wants[1 - me], ORDER) == 0) {
        int others = atomic_fetch_add(&inside, 1);
        assert(others == 0);
        atomic_fetch_sub(&inside, 1);
    }
    atomic_store_explicit(&wants[me], 0, ORDER);
    return NULL;
}

int main(void) {
    pthread_t visitors[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&visitors[i], NULL, visitor, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(visitors[i], NULL);
    return 0;
}
