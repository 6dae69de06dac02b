// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: wrong value EAGAIN 1
// stdout: timeout ETIMEDOUT 1
// stdout: nobody to wake 0
// stdout: released 3
// native: same
//
// Raw futexes: a value that has changed, a timeout, waking all of several waiters.
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint event, released;

static long futex(atomic_uint *word, int operation, unsigned value, const struct timespec *timeout) {
    return syscall(SYS_futex, word, operation, value, timeout, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void *wait_for_event(void *unused) {
    while (event == 0)
        futex(&event, FUTEX_WAIT, 0, NULL);
    released++;
    return unused;
}

int main(void) {
    long code = futex(&event, FUTEX_WAIT, 1, NULL);
    printf("wrong value EAGAIN %d\n", code == -1 && errno == EAGAIN);
    struct timespec short_time = {0, 2000000};
    do
        code = futex(&event, FUTEX_WAIT_PRIVATE, 0, &short_time);
    while (code == 0);
    printf("timeout ETIMEDOUT %d\n", errno == ETIMEDOUT);
    printf("nobody to wake %ld\n", futex(&event, FUTEX_WAKE_PRIVATE, INT_MAX, NULL));

    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, wait_for_event, NULL);
    event = 1;
    futex(&event, FUTEX_WAKE, INT_MAX, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("released %u\n", released);
    return 0;
}
