// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: counter 15, queue empty 1
// native: same
//
// The queue lock of Mellor-Crummey and Scott: every waiter spins on its own node, which lives on its stack.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_bool blocked;
};

static _Atomic(struct waiter *) tail;
static int counter;

static void lock(struct waiter *me) {
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->blocked, 1, memory_order_relaxed);
    struct waiter *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->blocked, memory_order_acquire))
        sched_yield();
}

static void unlock(struct waiter *me) {
    struct waiter *after = atomic_load_explicit(&me->next, memory_order_acquire);
    if (!after) {
        struct waiter *expected = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while (!(after = atomic_load_explicit(&me->next, memory_order_acquire)))
            sched_yield();
    }
    atomic_store_explicit(&after->blocked, 0, memory_order_release);
}

static void *work(void *unused) {
    for (int i = 0; i < 5; i++) {
        struct waiter me;
        lock(&me);
        counter++;
        unlock(&me);
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d, queue empty %d\n", counter, tail == NULL);
    return 0;
}
