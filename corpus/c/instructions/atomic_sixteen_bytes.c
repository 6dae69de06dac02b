// selvedge: run
// expect: exit 0
// seeds: 4
// stdout: 30 30
// stdout: 1:2 1
// native: same
// cflags: -mcx16
//
// A pair of words changed as one by a 16-byte compare-exchange, as a counted pointer would be.
#include <pthread.h>
#include <stdio.h>

typedef unsigned __int128 word;

static _Alignas(16) word pair;

static void *bump(void *unused) {
    for (int i = 0; i < 10; i++) {
        word before = __atomic_load_n(&pair, __ATOMIC_RELAXED), after;
        do {
            after = before + 1 + ((word)1 << 64);
        } while (!__atomic_compare_exchange_n(&pair, &before, after, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bump, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%lu %lu\n", (unsigned long)pair, (unsigned long)(pair >> 64));
    __atomic_store_n(&pair, (word)1 << 64, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&pair, 2, __ATOMIC_SEQ_CST);
    word old = __atomic_exchange_n(&pair, 1, __ATOMIC_SEQ_CST);
    printf("%lu:%lu %lu\n", (unsigned long)(old >> 64), (unsigned long)old, (unsigned long)pair);
    return 0;
}
