// selvedge: run
// expect: exit 0
// native: same
//
// Block copies and fills: structure assignment, overlapping moves, zero lengths, run-time lengths, inline copies.
#include <stdio.h>
#include <string.h>

struct block {
    int values[20];
    char name[16];
};

static unsigned checksum(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    unsigned sum = 1;
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + bytes[i];
    return sum;
}

int main(void) {
    struct block a = {{1, 2, 3}, "first"}, b, c[3];
    b = a;
    b.values[19] = 9;
    c[0] = c[1] = c[2] = b;
    memset(&c[1], 0xab, sizeof c[1]);
    printf("%u %u %u\n", checksum(&a, sizeof a), checksum(&b, sizeof b), checksum(c, sizeof c));

    char text[32] = "0123456789abcdefghij";
    for (size_t length = 0; length < 12; length += 3) {
        memmove(text + 2, text, length);
        memmove(text + 5, text + 9, length);
        memcpy(text + 20, text, length);
    }
    printf("%u\n", checksum(text, sizeof text));
    memcpy(text, "same", 0);
    memset(text + 31, 7, (0));
    volatile int fill = 0x1ff;
    memset(text, fill, 3);
    printf("%u %d\n", checksum(text, sizeof text), (unsigned char)text[0]);

    long from = 0x1122334455667788, to = 0;
    __builtin_memcpy_inline(&to, &from, sizeof to);
    unsigned half;
    __builtin_memcpy(&half, (char *)&from + 2, sizeof half);
    printf("%lx %x %d\n", to, half, memcmp(&from, &to, sizeof to));
    struct block zero = {0};
    int empty = 1;
    for (int i = 0; i < 20; i++)
        empty &= zero.values[i] == 0;
    printf("%d\n", empty && zero.name[15] == 0);
    return 0;
}
