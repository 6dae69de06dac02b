// selvedge: check --model rc11
// expect: verified executions 1
// selvedge: check --model rc11 --without symmetry
// expect: verified executions 2
// selvedge: check --model rc11 --without sc-first
// expect: verified executions 1
// selvedge: check --model rc11 --without portfolio
// expect: verified executions 1
// selvedge: check --model rc11 --without all
// expect: verified executions 2
// selvedge: check --model rc11 --strategy optimal --without all
// expect: verified executions 2
// selvedge: check --model rc11 --cflags=-DORDER=__ATOMIC_SEQ_CST
// expect: verified
// selvedge: check --model rc11 --cflags=-DORDER=__ATOMIC_SEQ_CST --without sc-first
// expect: verified executions 1
// selvedge: check --model rc11 --cflags=-DORDER=__ATOMIC_SEQ_CST --without all
// expect: verified executions 2
// selvedge: check --model rc11 --cflags=-DCOUNT=1 --without all
// expect: violation assertion
//
// What is left out under the language's models can be left in: equal threads, looks in vain, sequentially consistent executions
// first, states beside graphs.
#include <assert.h>
#include <pthread.h>

#ifndef ORDER
#define ORDER __ATOMIC_RELAXED
#endif
#ifndef COUNT
#define COUNT 2
#endif

static int count, flag;

static void *add(void *unused) {
    __atomic_fetch_add(&count, 1, ORDER);
    while (__atomic_load_n(&flag, __ATOMIC_SEQ_CST) == 0)
        ;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, add, 0);
    pthread_create(&threads[1], 0, add, 0);
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(__atomic_load_n(&count, ORDER) == COUNT);
    return 0;
}
