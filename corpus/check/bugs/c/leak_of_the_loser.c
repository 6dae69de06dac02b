// selvedge: check --leaks
// expect: violation leak line 16
// selvedge: check --leaks --cflags=-DFIXED
// expect: verified
//
// Threads build the same dictionary and the first one installs it. Who comes second forgets to throw its own away.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) dictionary;

static void *load_dictionary(void *unused) {
    if (atomic_load(&dictionary))
        return unused;
    char *fresh = malloc(16);
    char *installed = NULL;
    if (!atomic_compare_exchange_strong(&dictionary, &installed, fresh)) {
#ifdef FIXED
        free(fresh);
#endif
        return unused;
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, load_dictionary, NULL);
    pthread_create(&second, NULL, load_dictionary, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(dictionary);
    return 0;
}
