// selvedge: check
// expect: violation termination
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A service says when it is up, and main spins until then. If the service is stopped before it has begun, it returns
// without a word.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool stop, up;

static void *service(void *unused) {
    if (atomic_load(&stop)) {
#ifdef FIXED
        atomic_store(&up, true);
#endif
        return unused;
    }
    atomic_store(&up, true);
    return unused;
}

static void *administrator(void *unused) {
    atomic_store(&stop, true);
    return unused;
}

int main(void) {
    pthread_t server, admin;
    pthread_create(&server, NULL, service, NULL);
    pthread_create(&admin, NULL, administrator, NULL);
    while (!atomic_load(&up))
        ;
    pthread_join(server, NULL);
    pthread_join(admin, NULL);
    return 0;
}
