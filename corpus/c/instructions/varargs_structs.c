// selvedge: run
// expect: exit 0
// native: same
// selvedge: run --opt-level 2
// expect: exit 0
// native: same
//
// Structs as variadic arguments: those of up to 16 bytes come from registers in one or two pieces, or from the stack when
// there are too few registers left; larger ones, `long double` and over-aligned ones always come from the stack.
#include <stdarg.h>
#include <stdio.h>

struct doubles { double a, b; };
struct floats { float a, b, c; };
struct mixed { float f; long l; };
struct turned { long l; float f; };
struct bytes { char c[3]; };
struct large { int a[5]; };
struct aligned { int a; } __attribute__((aligned(32)));
struct packed { char c; __int128 w; } __attribute__((packed));
union both { double d; long l; };
typedef float vector __attribute__((vector_size(16)));

static void take(int rounds, double before, ...) {
    va_list list, again;
    va_start(list, before);
    for (int i = 0; i < rounds; i++) {
        struct doubles d = va_arg(list, struct doubles);
        struct floats f = va_arg(list, struct floats);
        printf("%g %g, %g %g %g, ", d.a, d.b, f.a, f.b, f.c);
        va_copy(again, list);
        struct mixed m = va_arg(list, struct mixed);
        struct turned t = va_arg(list, struct turned);
        printf("%g %ld, %ld %g, ", m.f, m.l, t.l, t.f);
        m = va_arg(again, struct mixed);
        printf("again %g %ld, ", m.f, m.l);
        va_end(again);
        struct bytes b = va_arg(list, struct bytes);
        struct large l = va_arg(list, struct large);
        printf("%d%d%d, %d %d, ", b.c[0], b.c[1], b.c[2], l.a[0], l.a[4]);
        printf("%Lg, ", va_arg(list, long double));
        struct aligned a = va_arg(list, struct aligned);
        struct packed p = va_arg(list, struct packed);
        __int128 w = va_arg(list, __int128);
        printf("%d, %d %lx, %lx %lx, ", a.a, p.c, (long)p.w, (long)(w >> 64), (long)w);
        union both u = va_arg(list, union both);
        double _Complex z = va_arg(list, double _Complex);
        vector v = va_arg(list, vector);
        printf("%g, %g %g, %g %g\n", u.d, __real__ z, __imag__ z, v[0], v[3]);
    }
    va_end(list);
}

#define VALUES d, f, m, t, b, l, 2.5L, a, p, w, u, z, v

int main(void) {
    struct doubles d = {1.5, 2.5};
    struct floats f = {3.5f, 4.5f, 5.5f};
    struct mixed m = {6.5f, 7};
    struct turned t = {8, 9.5f};
    struct bytes b = {{1, 2, 3}};
    struct large l = {{10, 11, 12, 13, 14}};
    struct aligned a = {15};
    struct packed p = {16, 17};
    __int128 w = (__int128)18 << 64 | 19;
    union both u = {20.5};
    double _Complex z;
    __real__ z = 21.5;
    __imag__ z = 22.5;
    vector v = {23, 24, 25, 26};
    take(1, 0.5, VALUES);
    take(3, 0.5, VALUES, VALUES, VALUES);
    return 0;
}
