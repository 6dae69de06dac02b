// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// Double-checked locking with an ordinary pointer: the first look at it is not ordered with the assignment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int timeout;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
static _Atomic(struct settings *) current;
#else
static struct settings *current;
#endif

static struct settings *get_settings(void) {
    struct settings *found = current;
    if (found)
        return found;
    pthread_mutex_lock(&lock);
    found = current;
    if (!found) {
        found = malloc(sizeof *found);
        found->timeout = 30;
        current = found;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *client(void *unused) {
    int timeout = get_settings()->timeout;
    assert(timeout == 30);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, client, NULL);
    pthread_create(&second, NULL, client, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(current);
    return 0;
}
