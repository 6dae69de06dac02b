/* Complex numbers: what compilers call for * and /, and the functions that are no more than a component. */
#include <complex.h>
#include <math.h>

/* An infinite component becomes 1 and a finite one 0, with its sign: the direction in which a factor is infinite. */
#define BOX(type, copysign, x) ((type)copysign(isinf(x) ? 1 : 0, x))
#define ZERO_IF_NAN(copysign, x) (isnan(x) ? copysign(0, x) : (x))

#define ARITHMETIC(type, suffix, copysign, fmax, fabs, logb, scalbn)                                                   \
    type _Complex __mul##suffix##c3(type a, type b, type c, type d) {                                                  \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                           \
        type _Complex z;                                                                                               \
        __real__ z = ac - bd;                                                                                          \
        __imag__ z = ad + bc;                                                                                          \
        if (!isnan(__real__ z) || !isnan(__imag__ z))                                                                  \
            return z;                                                                                                  \
        int infinite = 0;                                                                                              \
        if (isinf(a) || isinf(b)) {                                                                                    \
            a = BOX(type, copysign, a);                                                                                \
            b = BOX(type, copysign, b);                                                                                \
            c = ZERO_IF_NAN(copysign, c);                                                                              \
            d = ZERO_IF_NAN(copysign, d);                                                                              \
            infinite = 1;                                                                                              \
        }                                                                                                              \
        if (isinf(c) || isinf(d)) {                                                                                    \
            c = BOX(type, copysign, c);                                                                                \
            d = BOX(type, copysign, d);                                                                                \
            a = ZERO_IF_NAN(copysign, a);                                                                              \
            b = ZERO_IF_NAN(copysign, b);                                                                              \
            infinite = 1;                                                                                              \
        }                                                                                                              \
        if (!infinite && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                         \
            a = ZERO_IF_NAN(copysign, a);                                                                              \
            b = ZERO_IF_NAN(copysign, b);                                                                              \
            c = ZERO_IF_NAN(copysign, c);                                                                              \
            d = ZERO_IF_NAN(copysign, d);                                                                              \
            infinite = 1;                                                                                              \
        }                                                                                                              \
        if (infinite) {                                                                                                \
            __real__ z = (type)INFINITY * (a * c - b * d);                                                             \
            __imag__ z = (type)INFINITY * (a * d + b * c);                                                             \
        }                                                                                                              \
        return z;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    type _Complex __div##suffix##c3(type a, type b, type c, type d) {                                                  \
        int scale = 0;                                                                                                 \
        type exponent = logb(fmax(fabs(c), fabs(d)));                                                                  \
        if (isfinite(exponent)) {                                                                                      \
            scale = (int)exponent;                                                                                     \
            c = scalbn(c, -scale);                                                                                     \
            d = scalbn(d, -scale);                                                                                     \
        }                                                                                                              \
        type norm = c * c + d * d;                                                                                     \
        type _Complex z;                                                                                               \
        __real__ z = scalbn((a * c + b * d) / norm, -scale);                                                           \
        __imag__ z = scalbn((b * c - a * d) / norm, -scale);                                                           \
        if (!isnan(__real__ z) || !isnan(__imag__ z))                                                                  \
            return z;                                                                                                  \
        if (norm == 0 && (!isnan(a) || !isnan(b))) {                                                                   \
            __real__ z = copysign((type)INFINITY, c) * a;                                                              \
            __imag__ z = copysign((type)INFINITY, c) * b;                                                              \
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                             \
            a = BOX(type, copysign, a);                                                                                \
            b = BOX(type, copysign, b);                                                                                \
            __real__ z = (type)INFINITY * (a * c + b * d);                                                             \
            __imag__ z = (type)INFINITY * (b * c - a * d);                                                             \
        } else if (isinf(exponent) && exponent > 0 && isfinite(a) && isfinite(b)) {                                    \
            c = BOX(type, copysign, c);                                                                                \
            d = BOX(type, copysign, d);                                                                                \
            __real__ z = 0 * (a * c + b * d);                                                                          \
            __imag__ z = 0 * (b * c - a * d);                                                                          \
        }                                                                                                              \
        return z;                                                                                                      \
    }

ARITHMETIC(float, s, copysignf, fmaxf, fabsf, logbf, scalbnf)
ARITHMETIC(double, d, copysign, fmax, fabs, logb, scalbn)
ARITHMETIC(long double, x, copysignl, fmaxl, fabsl, logbl, scalbnl)

#define COMPONENTS(type, suffix)                                                                                       \
    type creal##suffix(type _Complex z) { return __real__ z; }                                                         \
    type cimag##suffix(type _Complex z) { return __imag__ z; }                                                         \
    type cabs##suffix(type _Complex z) { return hypot##suffix(__real__ z, __imag__ z); }                               \
    type carg##suffix(type _Complex z) { return atan2##suffix(__imag__ z, __real__ z); }                               \
    type _Complex conj##suffix(type _Complex z) { return ~z; }

COMPONENTS(float, f)
COMPONENTS(double, )
COMPONENTS(long double, l)
