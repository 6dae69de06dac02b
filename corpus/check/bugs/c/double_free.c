// selvedge: check
// expect: violation memory line 19
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two threads tidy up a cache. Each looks for it, frees it, and only then makes it invisible.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) cache;

static void *tidy_up(void *unused) {
#ifdef FIXED
    free(atomic_exchange(&cache, NULL));
#else
    char *found = atomic_load(&cache);
    if (found) {
        free(found);
        atomic_store(&cache, NULL);
    }
#endif
    return unused;
}

int main(void) {
    pthread_t first, second;
    atomic_store(&cache, malloc(8));
    pthread_create(&first, NULL, tidy_up, NULL);
    pthread_create(&second, NULL, tidy_up, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
