// selvedge: run
// expect: exit 0
// native: same
//
// The 80-bit format: more digits than double, a larger range, conversion from and to everything.
#include <float.h>
#include <stdio.h>
#include <string.h>

static long double horner(const long double *coefficients, int count, long double x) {
    long double result = 0;
    for (int i = 0; i < count; i++)
        result = result * x + coefficients[i];
    return result;
}

int main(void) {
    volatile long double one = 1.0L, three = 3.0L;
    printf("%.20Lg %.20Lg\n", one / three, one / three * three);
    printf("%d %d\n", one + LDBL_EPSILON != one, one + LDBL_EPSILON / 2 != one);
    long double large = DBL_MAX;
    large *= large;
    printf("%.10Lg %g\n", large, (double)large);
    const long double coefficients[] = {0.5L, -1.25L, 3.0L, 1e-18L};
    printf("%.20Lg\n", horner(coefficients, 4, 1.1L));
    volatile unsigned long bits = 0xfffffffffffffffful;
    long double exact = bits;
    printf("%.0Lf %lu %ld\n", exact, (unsigned long)exact, (long)-2.75L);
    printf("%.20Lg %.17g\n", (long double)0.1, (double)0.1L);
    unsigned char raw[10];
    memcpy(raw, (const void *)&three, 10);
    for (int i = 9; i >= 0; i--)
        printf("%02x", raw[i]);
    printf("\n%d%d%d %Lg\n", one < three, one == three, one >= three, -three);
    return 0;
}
