// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: counter 30
// native: same
//
// A mutex of our own on raw futex system calls: 0 free, 1 taken, 2 taken with waiters.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;
static int counter;

static void futex_wait(atomic_int *word, int expected) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void futex_wake(atomic_int *word, int count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&state, &seen, 1))
        return;
    if (seen != 2)
        seen = atomic_exchange(&state, 2);
    while (seen != 0) {
        futex_wait(&state, 2);
        seen = atomic_exchange(&state, 2);
    }
}

static void unlock(void) {
    if (atomic_fetch_sub(&state, 1) != 1) {
        atomic_store(&state, 0);
        futex_wake(&state, 1);
    }
}

static void *work(void *unused) {
    for (int i = 0; i < 10; i++) {
        lock();
        counter++;
        unlock();
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("counter %d\n", counter);
    return 0;
}
