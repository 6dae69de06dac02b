// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: recursive 1 1, stranger busy 1
// stdout: timed out 1, then locked 1
// stdout: condition timed out 1
// native: same
//
// <threads.h>: recursive and timed mutexes, mtx_trylock, mtx_timedlock, cnd_timedwait.
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t recursive, timed;

static struct timespec soon(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    time.tv_nsec += 5000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static int try_recursive(void *unused) {
    (void)unused;
    return mtx_trylock(&recursive);
}

static int lock_timed(void *unused) {
    (void)unused;
    struct timespec limit = soon();
    int result = mtx_timedlock(&timed, &limit);
    if (result == thrd_success)
        mtx_unlock(&timed);
    return result;
}

static int run(thrd_start_t function) {
    thrd_t thread;
    int result;
    thrd_create(&thread, function, NULL);
    thrd_join(thread, &result);
    return result;
}

int main(void) {
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    int first = mtx_lock(&recursive), second = mtx_trylock(&recursive);
    printf("recursive %d %d, stranger busy %d\n", first == thrd_success, second == thrd_success,
           run(try_recursive) == thrd_busy);
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);

    mtx_lock(&timed);
    int held = run(lock_timed);
    mtx_unlock(&timed);
    printf("timed out %d, then locked %d\n", held == thrd_timedout, run(lock_timed) == thrd_success);

    cnd_t never;
    cnd_init(&never);
    struct timespec limit = soon();
    mtx_lock(&timed);
    int waited;
    while ((waited = cnd_timedwait(&never, &timed, &limit)) == thrd_success)
        ;
    mtx_unlock(&timed);
    printf("condition timed out %d\n", waited == thrd_timedout);
    return 0;
}
