// Locks of all kinds around a counter. KIND: 0 mutex, 1 spin lock of an atomic section, 2 ticket lock, 3 test and set by
// compare-exchange, 4 none. THREADS: so many; COUNTED: the number of threads is an input up to that. ROUNDS each.
#include "task.h"
#include <stdatomic.h>
int count, inside, taken, next, serving;
atomic_int word;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) {
#if KIND == 0
    pthread_mutex_lock(&mutex);
#elif KIND == 1
    __VERIFIER_atomic_begin();
    assume(taken == 0);
    taken = 1;
    __VERIFIER_atomic_end();
#elif KIND == 2
    int mine;
    ATOMIC(mine = next++);
    int now;
    ATOMIC(now = serving);
    assume(now == mine);
#elif KIND == 3
    int free = 0;
    while (!atomic_compare_exchange_strong(&word, &free, 1)) free = 0;
#endif
}
static void unlock(void) {
#if KIND == 0
    pthread_mutex_unlock(&mutex);
#elif KIND == 1
    ATOMIC(taken = 0);
#elif KIND == 2
    ATOMIC(serving++);
#elif KIND == 3
    atomic_store(&word, 0);
#endif
}
static void *work(void *u) {
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        int seen = count;
        inside++;
        demand(inside == 1);
        inside--;
        count = seen + 1;
        unlock();
    }
    return u;
}
int main(void) {
    pthread_t t[THREADS];
#if COUNTED
    int threads = between(1, THREADS);
#else
    int threads = THREADS;
#endif
    for (int i = 0; i < threads; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < threads; i++) pthread_join(t[i], 0);
    demand(count == threads * ROUNDS);
    return 0;
}
