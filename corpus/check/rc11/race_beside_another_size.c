// selvedge: check --strategy auto
// expect: violation data-race
// selvedge: check --strategy states
// expect: violation data-race
// selvedge: check --strategy states --model rc11
// expect: violation data-race
//
// Who comes first has to be asked about both threads. That one is about to access eight bytes does not make them a location of
// that size: until it does, the other may store to four of them, which races with the copy.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static union {
    _Atomic unsigned long whole;
    _Atomic unsigned half[2];
} both;

static void *copy_and_look(void *argument) {
    unsigned long copy;
    memcpy(&copy, &both, sizeof copy);
    atomic_load_explicit(&both.whole, memory_order_acquire);
    return argument;
}

static void *store_half(void *argument) {
    atomic_store_explicit(&both.half[0], 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, copy_and_look, 0);
    pthread_create(&threads[1], 0, store_half, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
