// selvedge: run
// expect: exit 0
// native: same
//
// Structures passed and returned by value in every class of the calling convention.
#include <stdio.h>

struct one { char c; };
struct two { short a, b; };
struct eight { int a; float b; };
struct twelve { int a, b, c; };
struct sixteen { double d; long l; };
struct floats { float a, b, c; };
struct big { int values[9]; };
struct nested { struct two pair; struct one last; };
struct empty {};

static struct one next_one(struct one x) { x.c++; return x; }
static struct two swap_two(struct two x) { return (struct two){x.b, x.a}; }
static struct eight scale_eight(struct eight x, int by) { x.a *= by; x.b *= by; return x; }
static struct twelve rotate_twelve(struct twelve x) { return (struct twelve){x.b, x.c, x.a}; }
static struct sixteen add_sixteen(struct sixteen x, struct sixteen y) { x.d += y.d; x.l += y.l; return x; }
static struct floats halve_floats(struct floats x) { return (struct floats){x.a / 2, x.b / 2, x.c / 2}; }
static struct big reverse_big(struct big x) {
    struct big result;
    for (int i = 0; i < 9; i++)
        result.values[i] = x.values[8 - i];
    x.values[0] = -1;
    return result;
}
static struct nested deepen(struct empty nothing, struct nested x) {
    (void)nothing;
    x.pair = swap_two(x.pair);
    x.last = next_one(x.last);
    return x;
}

int main(void) {
    struct two two = swap_two((struct two){-1, 2});
    struct eight eight = scale_eight((struct eight){3, 1.5f}, 7);
    struct twelve twelve = rotate_twelve((struct twelve){1, 2, 3});
    struct sixteen sixteen = add_sixteen((struct sixteen){0.5, 10}, (struct sixteen){0.25, -3});
    struct floats floats = halve_floats((struct floats){1, 2, 3});
    struct big original = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, big = reverse_big(original);
    struct nested nested = deepen((struct empty){}, (struct nested){{5, 6}, {'x'}});
    printf("%c %d %d %d %g\n", next_one((struct one){'a'}).c, two.a, two.b, eight.a, eight.b);
    printf("%d %d %d %g %ld\n", twelve.a, twelve.b, twelve.c, sixteen.d, sixteen.l);
    printf("%g %g %g\n", floats.a, floats.b, floats.c);
    for (int i = 0; i < 9; i++)
        printf("%d%d ", original.values[i], big.values[i]);
    printf("\n%d %d %c\n", nested.pair.a, nested.pair.b, nested.last.c);
    return 0;
}
