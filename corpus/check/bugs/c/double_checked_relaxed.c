// selvedge: check
// expect: violation assertion line 53
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: verified
// selvedge: check --model pso
// expect: violation assertion line 53
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// Double-checked locking that publishes the address of its settings without ordering: where stores may overtake each
// other, somebody finds the settings empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#define CONSUME memory_order_acquire
#else
#define PUBLISH memory_order_relaxed
#define CONSUME memory_order_relaxed
#endif

struct settings {
    atomic_int timeout;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings storage;
static _Atomic(struct settings *) current;

static struct settings *get_settings(void) {
    struct settings *found = atomic_load_explicit(&current, CONSUME);
    if (found)
        return found;
    pthread_mutex_lock(&lock);
    found = atomic_load_explicit(&current, memory_order_relaxed);
    if (!found) {
        found = &storage;
        atomic_store_explicit(&found->timeout, 30, memory_order_relaxed);
        atomic_store_explicit(&current, found, PUBLISH);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *client(void *unused) {
    int timeout = atomic_load_explicit(&get_settings()->timeout, memory_order_relaxed);
    assert(timeout == 30);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, client, NULL);
    pthread_create(&second, NULL, client, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
