// selvedge: check
// expect: violation assertion line 19
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Three stations on a ring; only the one with the token may use the line. A station hands the token on before it has
// finished.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { STATIONS = 3 };

static atomic_int token;
static atomic_int line_users;

static void transmit(void) {
    int others = atomic_fetch_add(&line_users, 1);
    assert(others == 0);
    atomic_fetch_sub(&line_users, 1);
}

static void *station(void *number) {
    int me = (int)(long)number;
    while (atomic_load(&token) != me)
        ;
#ifdef FIXED
    transmit();
    atomic_store(&token, (me + 1) % STATIONS);
#else
    atomic_store(&token, (me + 1) % STATIONS);
    transmit();
#endif
    return NULL;
}

int main(void) {
    pthread_t stations[STATIONS];
    for (long i = 0; i < STATIONS; i++)
        pthread_create(&stations[i], NULL, station, (void *)i);
    for (int i = 0; i < STATIONS; i++)
        pthread_join(stations[i], NULL);
    return 0;
}
