// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: values 1, destroyed 60
// stdout: detached done 1
// native: same
//
// <threads.h>: tss_create, tss_set, tss_get with a destructor, thread_local, thrd_detach, thrd_sleep.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static atomic_int destroyed, correct = 1, detached_done;
static thread_local int mine = 3;

static void destroy(void *value) {
    destroyed += *(int *)value;
    free(value);
}

static int work(void *argument) {
    correct &= tss_get(key) == NULL;
    int *value = malloc(sizeof *value);
    *value = 10 * *(int *)argument;
    tss_set(key, value);
    mine += *value;
    thrd_yield();
    correct &= tss_get(key) == value && mine == 3 + *value;
    return 0;
}

static int detached(void *unused) {
    (void)unused;
    thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    detached_done = 1;
    return 0;
}

int main(void) {
    thrd_t threads[3], other;
    int numbers[3] = {1, 2, 3};
    tss_create(&key, destroy);
    for (int i = 0; i < 3; i++)
        thrd_create(&threads[i], work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        thrd_join(threads[i], NULL);
    printf("values %d, destroyed %d\n", correct && mine == 3, destroyed);
    tss_delete(key);
    thrd_create(&other, detached, NULL);
    thrd_detach(other);
    while (!detached_done)
        thrd_yield();
    printf("detached done %d\n", detached_done);
    return 0;
}
