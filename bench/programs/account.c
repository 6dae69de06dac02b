// selvedge: check --cflags=-DN=2
// expect: verified
// selvedge: check --cflags="-DN=2 -DBUG"
// expect: violation assertion
//
// N threads pay in, N pay out, and one audits, all under one lock.
// BUG: the audit takes one withdrawal for all of them.
#include "bench.h"

#ifndef N
#define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int balance = 100, deposits, withdrawals;

static void *pay_in(void *argument) {
    pthread_mutex_lock(&lock);
    atomic_store(&balance, atomic_load(&balance) + 10);
    atomic_store(&deposits, atomic_load(&deposits) + 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *pay_out(void *argument) {
    pthread_mutex_lock(&lock);
    atomic_store(&balance, atomic_load(&balance) - 5);
    atomic_store(&withdrawals, atomic_load(&withdrawals) + 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *audit(void *argument) {
    pthread_mutex_lock(&lock);
#ifdef BUG
    if (atomic_load(&deposits) == N && atomic_load(&withdrawals) > 0)
        assert(atomic_load(&balance) == 100 + 10 * N - 5 * N);
#else
    int sum = atomic_load(&balance);
    assert(sum == 100 + 10 * atomic_load(&deposits) - 5 * atomic_load(&withdrawals));
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2 * N + 1];
    for (int i = 0; i < N; i++)
        threads[i] = start(pay_in, i);
    for (int i = 0; i < N; i++)
        threads[N + i] = start(pay_out, i);
    threads[2 * N] = start(audit, 0);
    for (int i = 0; i <= 2 * N; i++)
        join(threads[i]);
    return 0;
}
