// selvedge: run
// expect: exit 0
// native: same
//
// Vector types: arithmetic by element, comparisons to masks, shuffles, element insertion and conversion.
#include <stdio.h>

typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef unsigned char byte8 __attribute__((vector_size(8)));
typedef short short8 __attribute__((vector_size(16)));
typedef int select4 __attribute__((ext_vector_type(4)));
typedef double double2 __attribute__((vector_size(16)));

static void show(const char *name, int4 v) { printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]); }

int main(void) {
    int4 a = {1, -2, 3, -4}, b = {10, 20, 30, 40};
    show("sum", a + b);
    show("product", a * b - 7);
    show("quotient", b / a);
    show("less", a < b - 15);
    show("shifted", a << (int4){1, 2, 3, 4});
    show("arithmetic", a >> 1);
    show("chosen", (int4)((select4)(a > 0) ? (select4)a : (select4)b));
    show("reversed", __builtin_shufflevector(a, a, 3, 2, 1, 0));
    show("mixed", __builtin_shufflevector(a, b, 0, 4, 1, 5));

    for (int i = 0; i < 4; i++)
        a[i] = b[3 - i] + i;
    show("stored", a);
    show("negated", -a & ~b);

    float4 f = __builtin_convertvector(a, float4) / 3.0f;
    show("floats", __builtin_convertvector(f * 100.0f, int4));
    double2 d = {1.5, -2.25};
    d = d * d + (double2){0.5, 0.5};
    printf("doubles %g %g\n", d[0], d[1]);

    byte8 bytes = {250, 251, 252, 253, 254, 255, 0, 1};
    bytes += 5;
    short8 wide = __builtin_convertvector(bytes, short8) * 300;
    for (int i = 0; i < 8; i++)
        printf("%d:%d ", bytes[i], wide[i]);
    printf("\n");
    return 0;
}
