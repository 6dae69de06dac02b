// selvedge: run
// expect: exit 0
// native: same
//
// Atomic loads and stores of one to eight bytes, of pointers, booleans and floats, in every order they may have.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define ROUND(type, first)                                                                         \
    do {                                                                                           \
        static _Atomic type cell;                                                                  \
        atomic_store_explicit(&cell, (type)(first), memory_order_relaxed);                         \
        long long a = atomic_load_explicit(&cell, memory_order_relaxed);                           \
        atomic_store_explicit(&cell, (type)(a + 1), memory_order_release);                         \
        long long b = atomic_load_explicit(&cell, memory_order_acquire);                           \
        atomic_store_explicit(&cell, (type)((uint64_t)b * 2), memory_order_seq_cst);               \
        long long c = atomic_load_explicit(&cell, memory_order_consume);                           \
        cell = (type)(c ^ 5);                                                                      \
        printf(#type " %lld %lld %lld %lld %d\n", a, b, c, (long long)cell,                        \
               atomic_is_lock_free(&cell));                                                        \
    } while (0)

int main(void) {
    ROUND(int8_t, 100);
    ROUND(uint8_t, 200);
    ROUND(int16_t, -32768);
    ROUND(uint16_t, 40000);
    ROUND(int32_t, -7);
    ROUND(uint32_t, 0xfffffffeu);
    ROUND(int64_t, -70000000000l);
    ROUND(uint64_t, 1ul << 62);

    static int target[3] = {1, 2, 3};
    _Atomic(int *) pointer = target;
    pointer++;
    atomic_fetch_add(&pointer, 1);
    printf("%d\n", *atomic_load(&pointer));
    atomic_bool flag = 0;
    printf("%d %d\n", atomic_exchange(&flag, 1), flag);
    _Atomic double real = 1.5;
    real += 2.25;
    _Atomic float single;
    atomic_init(&single, 3);
    single *= 2;
    printf("%g %g\n", (double)real, (double)single);
    return 0;
}
