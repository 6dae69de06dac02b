// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: results 10 11 12, once 1
// stdout: counter 30, equal 1 0
// stdout: exited 77
// native: same
//
// <threads.h>: thrd_create, thrd_join, thrd_exit, thrd_current, thrd_equal, thrd_yield, call_once, mtx_plain.
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static once_flag once = ONCE_FLAG_INIT;
static int counter, initialised;

static void initialise(void) { initialised++; }

static int work(void *argument) {
    call_once(&once, initialise);
    for (int i = 0; i < 10; i++) {
        mtx_lock(&mutex);
        counter++;
        mtx_unlock(&mutex);
        thrd_yield();
    }
    return *(int *)argument + 10;
}

static int leave(void *unused) {
    (void)unused;
    thrd_exit(77);
}

int main(void) {
    thrd_t threads[3], leaver;
    int numbers[3] = {0, 1, 2}, results[3], left;
    if (mtx_init(&mutex, mtx_plain) != thrd_success)
        return 1;
    for (int i = 0; i < 3; i++)
        if (thrd_create(&threads[i], work, &numbers[i]) != thrd_success)
            return 2;
    for (int i = 0; i < 3; i++)
        thrd_join(threads[i], &results[i]);
    printf("results %d %d %d, once %d\n", results[0], results[1], results[2], initialised);
    printf("counter %d, equal %d %d\n", counter, thrd_equal(thrd_current(), thrd_current()) != 0,
           thrd_equal(threads[0], thrd_current()) != 0);
    thrd_create(&leaver, leave, NULL);
    thrd_join(leaver, &left);
    printf("exited %d\n", left);
    mtx_destroy(&mutex);
    return 0;
}
