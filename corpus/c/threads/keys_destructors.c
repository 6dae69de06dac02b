// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: fresh value is null: 1
// stdout: destroyed sum 6, rounds 3
// stdout: main keeps 100
// native: same
//
// Thread-specific values: one per thread, destructors at thread exit, a destructor that sets the value again.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t heap_key, repeat_key;
static atomic_int destroyed, rounds, fresh = 1;

static void destroy_heap(void *value) {
    destroyed += *(int *)value;
    free(value);
}

/* Sets the value again once: the library must call the destructor a second time. */
static void destroy_repeat(void *value) {
    rounds++;
    if ((intptr_t)value > 1)
        pthread_setspecific(repeat_key, (void *)((intptr_t)value - 1));
}

static void *work(void *argument) {
    if (pthread_getspecific(heap_key) != NULL)
        fresh = 0;
    int *value = malloc(sizeof *value);
    *value = (int)(intptr_t)argument;
    pthread_setspecific(heap_key, value);
    if (*value == 2)
        pthread_setspecific(repeat_key, (void *)3);
    return *(int *)pthread_getspecific(heap_key) == *value ? NULL : argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_key_create(&heap_key, destroy_heap);
    pthread_key_create(&repeat_key, destroy_repeat);
    static int own = 100;
    pthread_setspecific(heap_key, &own);
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("fresh value is null: %d\n", fresh);
    printf("destroyed sum %d, rounds %d\n", destroyed, rounds);
    printf("main keeps %d\n", *(int *)pthread_getspecific(heap_key));
    pthread_key_delete(heap_key);
    pthread_key_delete(repeat_key);
    return 0;
}
