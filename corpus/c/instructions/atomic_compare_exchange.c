// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
//
// Compare-exchange, strong and weak, of every size, in all useful pairs of orders; weak ones in a loop.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static int orders[][2] = {
    {memory_order_relaxed, memory_order_relaxed}, {memory_order_acquire, memory_order_acquire},
    {memory_order_release, memory_order_relaxed}, {memory_order_acq_rel, memory_order_acquire},
    {memory_order_seq_cst, memory_order_seq_cst},
};

#define TRY(cell, expected, desired, success, failure)                                             \
    printf("%d", atomic_compare_exchange_strong_explicit(&cell, &expected, desired, success, failure))

#define SIZES(type)                                                                                \
    do {                                                                                           \
        _Atomic type cell = 1;                                                                     \
        type expected = 1;                                                                         \
        TRY(cell, expected, 2, memory_order_relaxed, memory_order_relaxed);                        \
        TRY(cell, expected, 9, memory_order_acquire, memory_order_relaxed);                        \
        TRY(cell, expected, 3, memory_order_release, memory_order_acquire);                        \
        TRY(cell, expected, 9, memory_order_acq_rel, memory_order_acquire);                        \
        TRY(cell, expected, 4, memory_order_seq_cst, memory_order_seq_cst);                        \
        while (!atomic_compare_exchange_weak_explicit(&cell, &expected, expected + 10,             \
                                                      memory_order_acq_rel, memory_order_relaxed)) \
            ;                                                                                      \
        printf(" %d %d\n", (int)cell, (int)expected);                                              \
    } while (0)

int main(void) {
    SIZES(int8_t);
    SIZES(uint16_t);
    SIZES(int32_t);
    SIZES(uint64_t);

    long number = 5;
    for (int i = 0; i < 5; i++) {
        long expected = 5 + i;
        _Bool done = __atomic_compare_exchange_n(&number, &expected, 6 + i, 0, orders[i][0], orders[i][1]);
        printf("%d:%ld ", done, number);
    }
    int *null = NULL, one = 1, *expected = NULL;
    __atomic_compare_exchange_n(&null, &expected, &one, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d\n", *null);
    printf("%d %d\n", __sync_bool_compare_and_swap(&one, 1, 8), __sync_val_compare_and_swap(&one, 7, 9));
    printf("%d %d\n", __sync_fetch_and_add(&one, 4), __sync_lock_test_and_set(&one, 0));
    return 0;
}
