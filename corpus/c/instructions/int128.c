// selvedge: run
// expect: exit 0
// native: same
//
// 128-bit integers: carries across the halves, multiplication, division, shifts, comparison, conversion.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 s128;

static void show(const char *label, u128 value) {
    printf("%s %016lx%016lx\n", label, (unsigned long)(value >> 64), (unsigned long)value);
}

static u128 power(u128 base, unsigned exponent) {
    u128 result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

int main(void) {
    volatile unsigned long all = ~0ul;
    u128 sum = (u128)all + all, product = (u128)all * all;
    show("sum", sum);
    show("product", product);
    show("power", power(7, 45));
    show("quotient", power(7, 45) / 1000000007u);
    show("remainder", power(7, 45) % ((u128)1 << 70));
    s128 negative = -(s128)product;
    show("negative", (u128)negative);
    show("divided", (u128)(negative / 12345678901234567l));
    show("modulo", (u128)(negative % 1000));
    for (int shift = 1; shift < 128; shift += 42) {
        show("left", product << shift);
        show("right", product >> shift);
        show("arithmetic", (u128)(negative >> shift));
    }
    printf("%d %d %d\n", negative < 0, product < sum, (s128)product == negative);
    printf("%.6g %.6g\n", (double)product, (double)negative);
    show("from double", (u128)1.5e30);
    show("masked", (product ^ sum) & ~(u128)0xffff);
    return 0;
}
