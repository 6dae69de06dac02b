// selvedge: run
// expect: violation deadlock
// seeds: 4
//
// The waker changes the word but forgets to wake: made certain by waking before the wait.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waker(void *unused) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waker, NULL);
    pthread_join(thread, NULL);
    printf("waiting\n");
    while (word == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return 0;
}
