// selvedge: run
// expect: exit 0
// native: same
//
// math.h: rounding, powers, logarithms, trigonometry, decomposition, classification, in double and float.
#include <math.h>
#include <stdio.h>

int main(void) {
    double samples[] = {-2.5, -1.5, -0.5, 0.5, 1.5, 2.4, 1e20};
    for (int i = 0; i < 7; i++) {
        double x = samples[i];
        printf("%g: %g %g %g %g %g %g\n", x, floor(x), ceil(x), trunc(x), round(x), rint(x), nearbyint(x));
    }
    printf("%ld %ld %lld\n", lround(2.5), lrint(2.5), llround(-3.7));
    printf("%.12g %.12g %.12g %.12g\n", sqrt(2), cbrt(-27), pow(2, 0.5), hypot(3, 4));
    printf("%.12g %.12g %.12g %.12g\n", exp(1), exp2(10), expm1(1e-5), log(10));
    printf("%.12g %.12g %.12g\n", log2(1024), log10(1000), log1p(1e-5));
    printf("%.12g %.12g %.12g\n", sin(1), cos(1), tan(1));
    printf("%.12g %.12g %.12g %.12g\n", asin(0.5), acos(0.5), atan(1), atan2(-1, -1));
    printf("%.12g %.12g %.12g\n", sinh(1), cosh(1), tanh(1));
    printf("%.10g %.10g\n", tgamma(5), erf(0.5));
    int exponent;
    double fraction = frexp(48, &exponent), whole;
    double part = modf(-3.75, &whole);
    printf("%g %d %g %g %g\n", fraction, exponent, part, whole, ldexp(0.75, 4));
    printf("%g %g %g\n", fmod(7.5, 2), remainder(7.5, 2), fma(2, 3, 4));
    printf("%g %g %g %g\n", fmin(1, 2), fmax(1, NAN), fdim(5, 3), copysign(3, -0.0));
    printf("%d %d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(1.0) != 0, signbit(-0.0) != 0, isnormal(1e-320) != 0);
    printf("%d %d %.17g\n", ilogb(1000), fpclassify(0.0) == FP_ZERO, nextafter(1, 2));
    printf("%.6g %.6g %.6g %.6g\n", sqrtf(2), powf(3, 4), floorf(-1.5f), fabsf(-2.0f));
    printf("%.15Lg %.15Lg\n", sqrtl(2), floorl(-2.5L));
    return 0;
}
