// selvedge: run
// expect: exit 0
// native: same
//
// _Generic, alignment of types and variables, packed and over-aligned structures, cleanup attributes.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NAME(x) _Generic((x), int: "int", long: "long", double: "double", char *: "text", default: "other")

struct natural { char a; int b; short c; long d; };
struct __attribute__((packed)) packed { char a; int b; short c; long d; };
struct line { alignas(64) char bytes[10]; };

static void leave(int *depth) { printf("leave %d\n", *depth); }

static int nested(void) {
    __attribute__((cleanup(leave))) int outer = 1;
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(leave))) int inner = 10 + i;
        if (i == 1)
            return inner + outer;
    }
    return 0;
}

int main(void) {
    printf("%s %s %s %s %s\n", NAME(1), NAME(1l), NAME(1.0), NAME((char *)0), NAME(1.0f));
    printf("%zu %zu %zu %zu\n", sizeof(struct natural), sizeof(struct packed), alignof(struct packed),
           offsetof(struct packed, d));
    struct packed packed = {1, 0x01020304, 5, 0x1122334455667788};
    packed.b++;
    struct packed *unaligned = (struct packed *)((char[32]){0} + 3);
    *unaligned = packed;
    printf("%x %d\n", packed.b, unaligned->d == packed.d);
    struct line lines[2];
    alignas(256) int cell = 7;
    printf("%zu %d %d %d\n", sizeof lines, (uintptr_t)&lines[1] % 64 == 0, (uintptr_t)&cell % 256 == 0, cell);
    printf("result %d\n", nested());
    printf("%d %d\n", __builtin_constant_p(3), __builtin_types_compatible_p(int, const int));
    printf("%d\n", __builtin_choose_expr(sizeof(long) == 8, 64, 32));
    return 0;
}
