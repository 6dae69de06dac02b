// selvedge: run
// expect: exit 0
// native: same
//
// Every read-modify-write of the __atomic family, in four sizes, with the value before and after.
#include <stdint.h>
#include <stdio.h>

#define FAMILY(type)                                                                               \
    static void family_##type(type start, type by) {                                               \
        type cell = start;                                                                         \
        printf(#type);                                                                             \
        printf(" %lx", (unsigned long)__atomic_fetch_add(&cell, by, __ATOMIC_RELAXED));            \
        printf(" %lx", (unsigned long)__atomic_fetch_sub(&cell, by / 2, __ATOMIC_ACQUIRE));        \
        printf(" %lx", (unsigned long)__atomic_fetch_and(&cell, (type)~by, __ATOMIC_RELEASE));     \
        printf(" %lx", (unsigned long)__atomic_fetch_or(&cell, by, __ATOMIC_ACQ_REL));             \
        printf(" %lx", (unsigned long)__atomic_fetch_xor(&cell, (type)0x55, __ATOMIC_SEQ_CST));    \
        printf(" %lx", (unsigned long)__atomic_fetch_nand(&cell, (type)0x3c, __ATOMIC_SEQ_CST));   \
        printf(" %lx", (unsigned long)__atomic_add_fetch(&cell, by, __ATOMIC_RELAXED));            \
        printf(" %lx", (unsigned long)__atomic_sub_fetch(&cell, 1, __ATOMIC_RELAXED));             \
        printf(" %lx", (unsigned long)__atomic_nand_fetch(&cell, by, __ATOMIC_RELAXED));           \
        printf(" %lx", (unsigned long)__atomic_exchange_n(&cell, by, __ATOMIC_ACQ_REL));           \
        printf(" %lx", (unsigned long)__atomic_fetch_min(&cell, (type)3, __ATOMIC_SEQ_CST));       \
        printf(" %lx", (unsigned long)__atomic_fetch_max(&cell, (type)100, __ATOMIC_SEQ_CST));     \
        printf(" %lx\n", (unsigned long)__atomic_load_n(&cell, __ATOMIC_SEQ_CST));                 \
    }

FAMILY(uint8_t)
FAMILY(int8_t)
FAMILY(uint16_t)
FAMILY(int16_t)
FAMILY(uint32_t)
FAMILY(int32_t)
FAMILY(uint64_t)
FAMILY(int64_t)

int main(void) {
    family_uint8_t(250, 9);
    family_int8_t(-120, 33);
    family_uint16_t(65000, 1000);
    family_int16_t(-30000, 5000);
    family_uint32_t(0xfffffff0u, 77);
    family_int32_t(-5, 1000000);
    family_uint64_t(0xfffffffffffffff0ul, 12345678901ul);
    family_int64_t(-7, 99999999999l);
    return 0;
}
