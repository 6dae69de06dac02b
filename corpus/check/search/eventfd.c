// selvedge: check
// expect: verified
// selvedge: check --strategy dpor
// expect: verified
// selvedge: check --model tso
// expect: verified
// selvedge: check --model pso
// expect: verified
// selvedge: check --model rc11
// expect: verified
// selvedge: check --cflags=-DCOUNTER
// expect: violation assertion
// selvedge: check --cflags=-DCOUNTER --strategy optimal
// expect: violation assertion
// selvedge: check --cflags=-DEARLY
// expect: violation deadlock
// Threads hand over items by an eventfd: as a semaphore it lets one thread go on for each, as a counter only one for all.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int events;
int items;

void *take(void *argument) {
    uint64_t count = 0;
    assert(eventfd_read(events, &count) == 0);
    assert(count == 1);
    assert(items == 2);
    return argument;
}

int main(void) {
#ifdef COUNTER
    events = eventfd(0, 0);
#else
    events = eventfd(0, EFD_SEMAPHORE);
#endif
    pthread_t takers[2];
    pthread_create(&takers[0], 0, take, 0);
    pthread_create(&takers[1], 0, take, 0);
    items = 2;
#ifdef EARLY
    uint64_t one = 1;
#else
    uint64_t one = 2;
#endif
    assert(write(events, &one, sizeof one) == sizeof one);
    pthread_join(takers[0], 0);
    pthread_join(takers[1], 0);
    return close(events);
}
