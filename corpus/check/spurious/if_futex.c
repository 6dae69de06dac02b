// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --model sc --no-spurious
// expect: verified

// FUTEX_WAIT: "callers should always conservatively assume that a return value of 0 can mean a spurious wake-up".
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *wait(void *unused) {
    if (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
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
