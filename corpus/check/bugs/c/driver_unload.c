// selvedge: check
// expect: violation assertion line 39
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A driver counts the requests that are under way, and unloading waits for them. A request looks whether the driver is
// stopping before it is counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int pending = 1;
static atomic_bool stopping, idle, unloaded;

static void leave(void) {
    if (atomic_fetch_sub(&pending, 1) == 1)
        atomic_store(&idle, true);
}

static bool enter(void) {
#ifdef FIXED
    atomic_fetch_add(&pending, 1);
    if (atomic_load(&stopping)) {
        leave();
        return false;
    }
#else
    if (atomic_load(&stopping))
        return false;
    atomic_fetch_add(&pending, 1);
#endif
    return true;
}

static void *request(void *unused) {
    if (enter()) {
        bool gone = atomic_load(&unloaded);
        assert(!gone);
        leave();
    }
    return unused;
}

static void *unload(void *unused) {
    atomic_store(&stopping, true);
    leave();
    while (!atomic_load(&idle))
        ;
    atomic_store(&unloaded, true);
    return unused;
}

int main(void) {
    pthread_t client, manager;
    pthread_create(&client, NULL, request, NULL);
    pthread_create(&manager, NULL, unload, NULL);
    pthread_join(client, NULL);
    pthread_join(manager, NULL);
    return 0;
}
