// selvedge: check
// expect: violation assertion line 43
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A table that is built when somebody first asks for it. Two who ask at the same time both find it missing, and each
// goes on with a table of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) table;

static int *get_table(void) {
    int *found = atomic_load(&table);
    if (found)
        return found;
    int *fresh = calloc(4, sizeof *fresh);
#ifdef FIXED
    if (!atomic_compare_exchange_strong(&table, &found, fresh)) {
        free(fresh);
        return found;
    }
#else
    atomic_store(&table, fresh);
#endif
    return fresh;
}

static void *worker(void *unused) {
    (void)unused;
    return get_table();
}

int main(void) {
    pthread_t threads[2];
    void *seen[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &seen[i]);
    assert(seen[0] == seen[1]);
    free(table);
    return 0;
}
