// selvedge: run
// expect: exit 0
// native: same
//
// Floating conversions of printf: f e g a in both cases, rounding, huge and tiny values, long double.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("[%f] [%.0f] [%#.0f] [%.1f] [%10.3f] [%-10.3f] [%+f]\n", 3.14159, 2.5, 2.5, 0.25, 2.71828, 2.71828, 1.0);
    printf("[%e] [%.0e] [%.3E] [%12.2e] [%e]\n", 12345.678, 12345.678, 0.00012345, -1.0, 0.0);
    printf("[%g] [%g] [%g] [%g] [%G] [%#g] [%.3g]\n", 100000.0, 1000000.0, 0.0001, 0.00001, 1e-10, 1.0, 1234.5);
    printf("[%a] [%A] [%.2a] [%a]\n", 1.0, 0.5, 1.999, -0.0);
    printf("[%f] [%F] [%5.1f] [%e] [%G]\n", INFINITY, -INFINITY, (double)NAN, -INFINITY, (double)NAN);
    printf("[%.20f] [%.17g] [%.50g]\n", 0.1, 0.1, 0.1);
    printf("[%.10g] [%.10g] [%g] [%g]\n", 1e300, DBL_MAX, DBL_MIN, 5e-324);
    printf("[%.1f] [%.1f] [%.1f] [%.0f] [%.0f] [%.0f]\n", 0.05, 0.15, 0.35, 0.5, 1.5, 3.5);
    printf("[%010.2f] [% .3f] [%+.2e] [%0+8.1f]\n", -3.14159, 2.0, 12345.6789, 9.96);
    printf("[%*.*f] [%.*g]\n", 10, 2, 3.14159, 4, 3.14159);
    printf("[%Lf] [%.20Lg] [%Le]\n", 1.5L, 0.1L, 1e4000L);
    printf("[%.3f] [%.2f]\n", 1e15 + 0.3, 999999.995);
    printf("[%.0f]\n", 1e22);
    return 0;
}
