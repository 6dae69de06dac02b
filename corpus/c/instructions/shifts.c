// selvedge: run
// expect: exit 0
// native: same
//
// Logical and arithmetic shifts by variable amounts, rotations, and the usual bit tricks.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate_left(uint32_t value, unsigned amount) {
    amount &= 31;
    return value << amount | value >> (-amount & 31);
}

static uint64_t rotate_right(uint64_t value, unsigned amount) {
    amount &= 63;
    return value >> amount | value << (-amount & 63);
}

static unsigned reverse_byte(unsigned byte) {
    unsigned result = 0;
    for (int bit = 0; bit < 8; bit++)
        result |= (byte >> bit & 1) << (7 - bit);
    return result;
}

int main(void) {
    int32_t negative = -1000;
    for (unsigned amount = 0; amount < 32; amount += 5)
        printf("%u: %x %d %x %x\n", amount, 0x12345678u << amount, negative >> amount,
               (uint32_t)negative >> amount, rotate_left(0x80000001u, amount));
    for (unsigned amount = 0; amount < 64; amount += 13)
        printf("%u: %lx %lx\n", amount, 0x123456789abcdef0ul >> amount,
               rotate_right(0x8000000000000001ul, amount));
    for (unsigned byte = 1; byte < 256; byte *= 3)
        printf("%02x ", reverse_byte(byte));
    int8_t small = -128;
    small >>= 3;
    uint8_t positive = 0xf0;
    positive <<= 2;
    printf("\n%d %u\n", small, positive);
    return 0;
}
