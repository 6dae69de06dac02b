// selvedge: run
// expect: exit 0
// native: same
//
// Every integer operation in the four ordinary widths, signed and unsigned, with wrap-around where C defines it.
#include <stdint.h>
#include <stdio.h>

#define OPERATIONS(type, format)                                                                   \
    static void operations_##type(type a, type b) {                                                \
        printf(#type " " format " " format " " format " " format " " format "\n", (type)(a + b),   \
               (type)(a - b), (type)(a * b), (type)(a / b), (type)(a % b));                        \
        printf(#type " " format " " format " " format " " format " %d%d%d%d\n", (type)(a & b),     \
               (type)(a | b), (type)(a ^ b), (type)~a, a < b, a <= b, a == b, a != b);             \
    }

OPERATIONS(int8_t, "%d")
OPERATIONS(uint8_t, "%u")
OPERATIONS(int16_t, "%d")
OPERATIONS(uint16_t, "%u")
OPERATIONS(int32_t, "%d")
OPERATIONS(uint32_t, "%u")
OPERATIONS(int64_t, "%ld")
OPERATIONS(uint64_t, "%lu")

int main(void) {
    operations_int8_t(-100, 7);
    operations_uint8_t(200, 57);
    operations_int16_t(-30000, 11);
    operations_uint16_t(65535, 3);
    operations_int32_t(-40000, 321);
    operations_uint32_t(4000000000u, 65537u);
    operations_int64_t(-3000000000l, 7);
    operations_uint64_t(18446744073709551615ul, 10);

    int32_t widened = (int8_t)0x80;
    uint32_t zero_extended = (uint8_t)0x80;
    int64_t truncated = (int16_t)0x12345678;
    printf("%d %u %ld %d\n", widened, zero_extended, truncated, (_Bool)256);
    return 0;
}
