// selvedge: run
// expect: exit 0
// native: same
//
// Population count, leading and trailing zeros, parity, byte swap, bit reversal, rotation.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint32_t samples[] = {1, 0x80000000u, 0xffffffffu, 0x00f0f000u, 0x12345678u};
    for (int i = 0; i < 5; i++) {
        uint32_t x = samples[i];
        printf("%08x: %d %d %d %d %d %08x %08x\n", x, __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x),
               __builtin_parity(x), __builtin_ffs((int)x), __builtin_bswap32(x), __builtin_bitreverse32(x));
    }
    uint64_t wide[] = {1, 1ul << 63, 0x0123456789abcdeful};
    for (int i = 0; i < 3; i++) {
        uint64_t x = wide[i];
        printf("%016lx: %d %d %d %d %016lx %016lx\n", x, __builtin_popcountl(x), __builtin_clzl(x),
               __builtin_ctzl(x), __builtin_ffsl((long)x), __builtin_bswap64(x), __builtin_bitreverse64(x));
    }
    printf("%04x %04x %02x\n", __builtin_bswap16(0x1234), __builtin_bitreverse16(0x1234), __builtin_bitreverse8(0x13));
    printf("%d %d %d\n", __builtin_ffs(0), __builtin_clrsb(-1), __builtin_clrsb(0x00ffffff));
    printf("%08x %08x\n", __builtin_rotateleft32(0x12345678u, 12), __builtin_rotateright32(0x12345678u, 4));
    printf("%02x %016lx\n", __builtin_rotateleft8(0x81, 3), __builtin_rotateright64(0xful, 2));

    unsigned board = 0;
    for (unsigned square = 0; square < 32; square += 5)
        board |= 1u << square;
    printf("squares");
    for (; board; board &= board - 1)
        printf(" %d", __builtin_ctz(board));
    printf("\n");
    return 0;
}
