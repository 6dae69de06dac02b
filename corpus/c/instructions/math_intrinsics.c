// selvedge: run
// expect: exit 0
// native: same
// cflags: -fno-math-errno
//
// With no need to set errno, calls of math functions become instructions and intrinsics of their own.
#include <math.h>
#include <stdio.h>

int main(void) {
    double samples[] = {0.5, 1.75, 3.25, 10};
    for (int i = 0; i < 4; i++) {
        volatile double x = samples[i];
        volatile float f = (float)x;
        printf("%.12g %.12g %.12g", sqrt(x), pow(x, 3.5), fmod(10, x));
        printf(" %.12g %.12g %.12g", sin(x), cos(x), exp(x));
        printf(" %.12g %.12g %.12g", log(x), log2(x), log10(x));
        printf(" %.12g %.12g\n", exp2(x), fma(x, x, 1));
        printf("%.6g %.6g %.6g", sqrtf(f), powf(f, 2), fmodf(10, f));
        printf(" %.6g %.6g", sinf(f), expf(f));
        printf(" %ld %lld %ld\n", lround(x), llrint(x), lroundf(f));
        printf("%g %g %g %g", floor(-x), ceil(-x), trunc(-x), rint(-x));
        printf(" %g %g %g\n", __builtin_roundeven(x), copysign(x, -1), fmin(x, 2));
    }
    printf("%d %d %d\n", isnan(samples[0]), __builtin_isinf_sign(-INFINITY), __builtin_signbit(-0.0) != 0);
    return 0;
}
