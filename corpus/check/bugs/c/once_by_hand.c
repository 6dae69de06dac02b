// selvedge: check
// expect: violation assertion line 31
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Initialisation that must happen once. Who comes second sees that it has begun, and does not wait for its end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { FRESH, RUNNING, COMPLETE };

static atomic_int state = FRESH;
static atomic_int port;

static void initialise(void) {
    int expected = FRESH;
    if (atomic_compare_exchange_strong(&state, &expected, RUNNING)) {
        atomic_store(&port, 8080);
        atomic_store(&state, COMPLETE);
    }
#ifdef FIXED
    while (atomic_load(&state) != COMPLETE)
        ;
#endif
}

static void *client(void *unused) {
    initialise();
    int used = atomic_load(&port);
    assert(used == 8080);
    return unused;
}

int main(void) {
    pthread_t clients[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i], NULL);
    return 0;
}
