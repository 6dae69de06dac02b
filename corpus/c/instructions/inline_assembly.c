// selvedge: run
// expect: exit 0
// native: same
//
// Instructions that libraries write in inline assembly, with the flags that they leave: what a processor computes.
#include <stdint.h>
#include <stdio.h>

#define ASM __asm__ __volatile__

static uint64_t numbers[] = {0, 1, 2, 5, 127, 128, 255, 256, 32768, 65535, 0x7fffffff, 0x80000000, 0xffffffff,
                             0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
#define COUNT (sizeof numbers / sizeof *numbers)

static uint64_t sum;

static void note(uint64_t value) {
    sum = (sum ^ value) * 0x9e3779b97f4a7c15 + (sum >> 29);
}

#define FLAGS(instruction, type, a, b)                                                                              \
    do {                                                                                                            \
        type value = (type)(a);                                                                                     \
        _Bool zero, sign, carry, overflow, below, less, not_greater;                                                \
        ASM(instruction : "+r"(value), "=@ccz"(zero), "=@ccs"(sign), "=@ccc"(carry), "=@cco"(overflow),             \
            "=@ccbe"(below), "=@ccl"(less), "=@ccng"(not_greater) : "r"((type)(b)));                                \
        note(value), note(zero | sign << 1 | carry << 2 | overflow << 3 | below << 4 | less << 5 | not_greater << 6); \
    } while (0)

static void arithmetic(uint64_t a, uint64_t b) {
    FLAGS("addb %8, %0", uint8_t, a, b);
    FLAGS("addl %8, %0", uint32_t, a, b);
    FLAGS("add %8, %0", uint64_t, a, b);
    FLAGS("subw %8, %0", uint16_t, a, b);
    FLAGS("sub %8, %0", uint32_t, a, b);
    FLAGS("subq %8, %0", uint64_t, a, b);
    FLAGS("cmpl %8, %0", uint32_t, a, b);
    FLAGS("andl %8, %0", uint32_t, a, b);
    FLAGS("orq %8, %0", uint64_t, a, b);
    FLAGS("xorb %8, %0", uint8_t, a, b);
    FLAGS("testq %8, %0", uint64_t, a, b);
    FLAGS("addl %8, %0; adcl %8, %0", uint32_t, a, b);
    FLAGS("subq %8, %0; sbbq %8, %0", uint64_t, a, b);
    FLAGS("cmpl %8, %0; incl %0", uint32_t, a, b);
    FLAGS("cmpq %8, %0; dec %0", uint64_t, a, b);
    FLAGS("neg %0", uint32_t, a, b);
    FLAGS("cmpb %8, %0; not %0", uint8_t, a, b);
}

static void bits(uint64_t a) {
    uint64_t first = 77, last = 77;
    _Bool none;
    ASM("bsfq %2, %0" : "+r"(first), "=@ccz"(none) : "r"(a));
    ASM("bsr %1, %0" : "+r"(last) : "rm"(a));
    note(first), note(none), note(last);
    uint32_t narrow = 5;
    ASM("bsrl %1, %0" : "=r"(narrow) : "r"((uint32_t)a | 1));
    note(narrow);
    _Bool bit;
    uint64_t other = a;
    ASM("btsq %2, %0" : "+r"(other), "=@ccc"(bit) : "r"((uint64_t)3));
    note(other), note(bit);
    ASM("btr %2, %0; setc %1" : "+r"(other), "=q"(bit) : "ir"((uint64_t)8));
    note(other), note(bit);
    ASM("shlq $3, %0; shr $1, %0; sarq %%cl, %0" : "+r"(other) : "c"(2));
    note(other);
    uint64_t low = a, high;
    ASM("mulq %3" : "=a"(low), "=d"(high) : "a"(a), "rm"(other) : "cc");
    note(low), note(high);
}

static void memory(void) {
    uint32_t word = 40, wide[4] = {0, 0, 0, 0};
    int32_t old = 2;
    _Bool flag;
    ASM("lock; xaddl %0, %1" : "+r"(old), "+m"(word) : : "memory");
    printf("xadd %d %u\n", old, word);
    uint32_t found = 42;
    ASM("lock cmpxchgl %3, %1" : "+a"(found), "+m"(word), "=@ccz"(flag) : "r"(7) : "memory");
    printf("cmpxchg %u %u %d\n", found, word, flag);
    found = 42;
    ASM("lock\n\tcmpxchgl %3, %1\n\tsete %2" : "+a"(found), "+m"(word), "=qm"(flag) : "r"(8) : "memory", "cc");
    printf("cmpxchg %u %u %d\n", found, word, flag);
    uint32_t mine = 1;
    ASM("xchgl %0, %1" : "=r"(mine), "+m"(word) : "0"(mine) : "memory");
    printf("xchg %u %u\n", mine, word);
    ASM("lock decl %0; setz %1" : "+m"(word), "=qm"(flag) : : "memory", "cc");
    printf("dec %u %d\n", word, flag);
    ASM("lock subl %2, %0; sets %1" : "+m"(word), "=q"(flag) : "ir"(3) : "memory", "cc");
    printf("sub %d %d\n", (int)word, flag);
    ASM("lock; orl %1, %0" : "+m"(word) : "ir"(0xff) : "memory");
    ASM("lock; andl %1, %0" : "+m"(word) : "ir"(0x7e) : "memory");
    ASM("lock incl %0" : "+m"(word) : : "memory");
    ASM("lock notl %0" : "+m"(word) : : "memory");
    printf("or and inc not %u\n", word);
    ASM("lock btsl %2, %0; setc %1" : "+m"(*wide), "=q"(flag) : "r"(37) : "memory", "cc");
    printf("bts %u %d\n", wide[1], flag);
    ASM("lock btrl %2, %0" : "+m"(*wide), "=@ccc"(flag) : "r"(37) : "memory");
    printf("btr %u %d\n", wide[1], flag);
    ASM("lock btcl %1, %0" : "+m"(*wide) : "ir"(4) : "memory", "cc");
    printf("btc %u\n", wide[0]);
    uint8_t byte = 250;
    ASM("lock addb %1, %0" : "+m"(byte) : "iq"((uint8_t)10) : "memory");
    printf("addb %u\n", byte);
    uint32_t read;
    ASM("movl %1, %0" : "=q"(read) : "m"(wide[0]) : "memory");
    ASM("movl %1, %0" : "=m"(wide[2]) : "iq"(9) : "memory");
    printf("mov %u %u\n", read, wide[2]);
}

static void pointers(void) {
    int here = 1, there = 2;
    int *place = &here, *other = &there;
    ASM("xchgq %0, %1" : "+m"(place), "+q"(other) : : "memory");
    printf("pointers %d %d\n", *place, *other);
    int *expected = &there;
    _Bool flag;
    ASM("lock cmpxchgq %3, %0" : "+m"(place), "+a"(expected), "=@ccz"(flag) : "q"(&here) : "memory");
    printf("pointers %d %d\n", *place, flag);
    struct {
        _Alignas(16) uint64_t low, high;
    } pair = {1, 2}, compare = {1, 2};
    ASM("movq 0(%4), %%rax; movq 8(%4), %%rdx; lock cmpxchg16b %0; setz %1"
        : "+m"(pair), "=q"(flag)
        : "b"(3ul), "c"(4ul), "q"(&compare)
        : "memory", "cc", "%rax", "%rdx");
    printf("pair %lu %lu %d\n", pair.low, pair.high, flag);
    uint64_t both = 0x500000006;
    uint32_t low = 6, high = 5;
    ASM("lock cmpxchg8b %0; setz %3" : "+m"(both), "+a"(low), "+d"(high), "=q"(flag) : "b"(1), "c"(2) : "memory", "cc");
    printf("pair %#lx %d\n", both, flag);
}

int main(void) {
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned j = 0; j < COUNT; j++)
            arithmetic(numbers[i], numbers[j]);
        printf("%d %#lx\n", i, sum);
        bits(numbers[i]);
        printf("%d %#lx\n", i, sum);
    }
    memory();
    pointers();
    return 0;
}
