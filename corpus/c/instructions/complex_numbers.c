// selvedge: run
// expect: exit 0
// native: same
//
// Complex arithmetic: passed and returned in pairs of registers, compared, multiplied.
#include <complex.h>
#include <stdio.h>

static double complex step(double complex z, double complex c) { return z * z + c; }

static int escapes(double complex c) {
    double complex z = 0;
    for (int i = 0; i < 30; i++) {
        z = step(z, c);
        if (creal(z) * creal(z) + cimag(z) * cimag(z) > 4)
            return i;
    }
    return -1;
}

static float complex swap(float complex z) { return __builtin_complex(cimagf(z), crealf(z)); }

int main(void) {
    double complex a = 1.5 - 2.0 * I, b = __builtin_complex(0.25, 4.0);
    double complex sum = a + b, difference = a - b, product = a * b;
    printf("%g %g\n", creal(sum), cimag(sum));
    printf("%g %g\n", creal(difference), cimag(difference));
    printf("%g %g\n", creal(product), cimag(product));
    printf("%g %g %d %d\n", creal(conj(a)), cimag(conj(a)), a == b, a != b);
    printf("%g %g\n", creal(a * 2 / 4), cimag(-a));
    float complex s = swap(1 + 2 * I);
    printf("%g %g\n", crealf(s), cimagf(s));
    for (int row = -2; row <= 2; row++) {
        for (int column = -5; column <= 2; column++)
            putchar(escapes(__builtin_complex(column * 0.4, row * 0.5)) < 0 ? '#' : '.');
        putchar('\n');
    }
    return 0;
}
