// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: created 1, everyone sees 42 42 42
// native: same
//
// Double-checked creation of one shared object, as it must be written: acquire outside, the lock inside.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct configuration {
    int answer;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct configuration *) instance;
static int created;

static struct configuration *get(void) {
    struct configuration *result = atomic_load_explicit(&instance, memory_order_acquire);
    if (!result) {
        pthread_mutex_lock(&mutex);
        result = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!result) {
            result = malloc(sizeof *result);
            result->answer = 42;
            created++;
            atomic_store_explicit(&instance, result, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    return result;
}

static void *use(void *seen) {
    *(int *)seen = get()->answer;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int seen[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, use, &seen[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("created %d, everyone sees %d %d %d\n", created, seen[0], seen[1], seen[2]);
    free(get());
    return 0;
}
