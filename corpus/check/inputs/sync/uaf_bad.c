// selvedge: check --no-races
// expect: violation memory
//
// Who comes last frees what both use. With one input the first one already does.
#include <pthread.h>
#include <selvedge.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static int users = 2;

static void *work(void *limit) {
    pthread_mutex_lock(&lock);
    *shared += 1;
    users--;
    int last = users < *(int *)limit;
    if (last) free(shared);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    int limit = selvedge_any_int();
    selvedge_assume(limit == 1 || limit == 2);
    shared = malloc(sizeof *shared);
    *shared = 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &limit);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
