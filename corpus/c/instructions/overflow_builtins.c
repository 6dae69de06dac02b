// selvedge: run
// expect: exit 0
// native: same
//
// Arithmetic that says whether it overflowed, in mixed widths and signs, and with carries.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int i;
    unsigned u;
    long l;
    unsigned long ul;
    int8_t s8;
    uint16_t u16;
    printf("%d", __builtin_add_overflow(INT_MAX, 1, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_sub_overflow(5u, 6u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_mul_overflow(LONG_MAX / 2, 3l, &l));
    printf(" %ld\n", l);
    printf("%d", __builtin_mul_overflow(1ul << 40, 1ul << 20, &ul));
    printf(" %lu\n", ul);
    printf("%d", __builtin_add_overflow(100, 100, &s8));
    printf(" %d\n", s8);
    printf("%d", __builtin_sub_overflow(-1, 1u, &l));
    printf(" %ld\n", l);
    printf("%d", __builtin_mul_overflow(-300, 300, &u16));
    printf(" %u\n", u16);
    printf("%d", __builtin_smul_overflow(46341, 46341, &i));
    printf(" %d\n", i);
    printf("%d", __builtin_uaddl_overflow(ULONG_MAX, 2, &ul));
    printf(" %lu\n", ul);
    printf("%d", __builtin_ssubl_overflow(LONG_MIN, 1, &l));
    printf(" %ld\n", l);

    unsigned long a[3] = {~0ul, ~0ul, 1}, b[3] = {1, 0, 5}, sum[3], carry = 0;
    for (int k = 0; k < 3; k++)
        sum[k] = __builtin_addcl(a[k], b[k], carry, &carry);
    printf("%lx %lx %lx %lu\n", sum[2], sum[1], sum[0], carry);

    unsigned long product = 1;
    int n = 1;
    while (!__builtin_mul_overflow(product, (unsigned long)n, &product))
        n++;
    printf("%d! does not fit\n", n);
    return 0;
}
