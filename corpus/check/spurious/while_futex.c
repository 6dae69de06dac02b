// selvedge: check --model sc
// expect: verified
// selvedge: check --model sc --strategy states
// expect: verified
// selvedge: check --model sc --strategy optimal
// expect: verified

// The word is looked at again.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *wait(void *unused) {
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    assert(__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 1);
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, 0, wait, 0);
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    pthread_join(waiter, 0);
    return 0;
}
