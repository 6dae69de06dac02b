// selvedge: run
// expect: exit 0
// native: same
//
// float and double: arithmetic, conversions in all directions, comparisons with infinities and NaN, bits.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double value) {
    uint64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static void compare(double a, double b) {
    printf("%d%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b, isunordered(a, b) != 0);
}

int main(void) {
    volatile double one = 1.0, three = 3.0, zero = 0.0;
    volatile float single = 16777216.0f;
    printf("%.17g %.17g %.17g\n", one / three, one - three, three * 1e308 * 10);
    printf("%.9g %.9g\n", single + 1.0f, single / 3.0f);
    double infinity = one / zero, minus_zero = -zero, nan = fabs(zero / zero);
    printf("%g %g %g %lx\n", infinity, -infinity, minus_zero, bits(minus_zero));
    compare(one, three);
    compare(three, three);
    compare(nan, one);
    compare(-infinity, infinity);
    compare(zero, minus_zero);
    printf("\n%d %u %ld %lu %d\n", (int)-2.9, (unsigned)4000000000.7, (long)-9e15,
           (unsigned long)1.7e19, (signed char)-100.5f);
    volatile uint64_t huge = UINT64_MAX;
    volatile int64_t low = INT64_MIN + 1;
    printf("%.17g %.17g %.9g\n", (double)huge, (double)low, (double)(float)huge);
    printf("%.17g %a %lx\n", (double)0.1f, 0.1, bits(DBL_MIN / 4));
    printf("%.9g %lx\n", (float)1e-40, bits(-DBL_MAX));
    printf("%.17g %.17g\n", fmod(-7.5, 2), -fabs(-three));
    return 0;
}
