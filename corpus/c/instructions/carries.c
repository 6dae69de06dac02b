// selvedge: run
// expect: exit 0
// native: same
//
// Sums and differences of several words, and what the processor says of itself.
#include <cpuid.h>
#include <immintrin.h>
#include <stdio.h>

typedef unsigned long long word;

static word numbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, ~0ull};
#define COUNT (sizeof numbers / sizeof *numbers)

int main(void) {
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned j = 0; j < COUNT; j++)
            for (unsigned char carry = 0; carry < 2; carry++) {
                word sum, difference;
                unsigned small, less;
                int up = _addcarry_u64(carry, numbers[i], numbers[j], &sum);
                int down = _subborrow_u64(carry, numbers[i], numbers[j], &difference);
                int low_up = _addcarry_u32(carry, numbers[i], numbers[j], &small);
                int low_down = _subborrow_u32(carry, numbers[i], numbers[j], &less);
                printf("%d %llx %d %llx %d %x %d %x\n", up, sum, down, difference, low_up, small, low_down, less);
            }
    unsigned a, b, c, d;
    printf("%d %d\n", __get_cpuid(1, &a, &b, &c, &d), (d & bit_SSE2) != 0);
    word before = __rdtsc(), after = __rdtsc();
    printf("%d\n", before <= after);
    return 0;
}
