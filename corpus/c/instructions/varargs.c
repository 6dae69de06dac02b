// selvedge: run
// expect: exit 0
// native: same
//
// Variadic functions of our own: every argument class, more arguments than registers, va_copy, structures.
#include <stdarg.h>
#include <stdio.h>

struct pair { int a, b; };
struct large { long values[5]; };

static double sum(const char *kinds, ...) {
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    double total = 0;
    for (const char *kind = kinds; *kind; kind++) {
        switch (*kind) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += va_arg(list, long); break;
        case 'd': total += va_arg(list, double); break;
        case 's': total += va_arg(list, const char *)[0]; break;
        case 'p': { struct pair pair = va_arg(list, struct pair); total += pair.a * pair.b; break; }
        case 'L': { struct large large = va_arg(list, struct large); total += large.values[4]; break; }
        case 'D': total += va_arg(list, long double); break;
        }
    }
    va_end(list);
    if (kinds[0] == 'i')
        total += va_arg(again, int) * 1000.0;
    va_end(again);
    return total;
}

static int forward(char *out, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(out, size, format, list);
    va_end(list);
    return length;
}

int main(void) {
    printf("%g\n", sum("iii", 1, 2, 3));
    printf("%g\n", sum("dididididididididi", 0.5, 1, 0.5, 2, 0.5, 3, 0.5, 4, 0.5, 5, 0.5, 6, 0.5, 7, 0.5, 8, 0.5, 9));
    printf("%g\n", sum("ddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.));
    printf("%g\n", sum("lpLsDp", 1L << 40, (struct pair){3, 4}, (struct large){{1, 2, 3, 4, 5}}, "A", 0.25L, (struct pair){5, 6}));
    char text[32];
    int length = forward(text, sizeof text, "%d-%s-%.2f-%c", 42, "abc", 2.5, 'z');
    printf("%d %s\n", length, text);
    return 0;
}
