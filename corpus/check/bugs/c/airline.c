// selvedge: check
// expect: violation assertion line 43
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Three counters sell the seats of one flight. Whether a seat is left and that it is sold are two separate steps, and
// the flight is overbooked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SEATS = 2, COUNTERS = 3 };

static atomic_int sold;

static bool sell_ticket(void) {
#ifdef FIXED
    int seen = atomic_load(&sold);
    while (seen < SEATS)
        if (atomic_compare_exchange_strong(&sold, &seen, seen + 1))
            return true;
    return false;
#else
    if (atomic_load(&sold) >= SEATS)
        return false;
    atomic_fetch_add(&sold, 1);
    return true;
#endif
}

static void *counter(void *unused) {
    sell_ticket();
    return unused;
}

int main(void) {
    pthread_t counters[COUNTERS];
    for (int i = 0; i < COUNTERS; i++)
        pthread_create(&counters[i], NULL, counter, NULL);
    for (int i = 0; i < COUNTERS; i++)
        pthread_join(counters[i], NULL);
    assert(sold == SEATS);
    return 0;
}
