// selvedge: run
// expect: exit 0
// native: same
// cflags: -latomic -Wno-atomic-alignment
//
// Atomic structures: one that fits a word, and one that is too large for any instruction and goes to the library.
#include <stdatomic.h>
#include <stdio.h>

struct small { int a; short b, c; };
struct large { long values[3]; };

static _Atomic struct small small;
static _Atomic struct large large;

int main(void) {
    atomic_store(&small, ((struct small){1, 2, 3}));
    struct small seen = atomic_load(&small), next = seen;
    next.b = 20;
    printf("%d", atomic_compare_exchange_strong(&small, &seen, next));
    next.c = 30;
    printf("%d", atomic_compare_exchange_strong(&small, &seen, next));
    printf(" %d %d %d\n", seen.a, seen.b, seen.c);
    struct small old = atomic_exchange(&small, ((struct small){7, 8, 9}));
    seen = small;
    printf("%d %d\n", old.b, seen.c);

    atomic_store(&large, ((struct large){{1, 2, 3}}));
    struct large copy = atomic_load(&large), changed = copy;
    changed.values[2] = 33;
    printf("%d", atomic_compare_exchange_strong(&large, &copy, changed));
    printf("%d", atomic_compare_exchange_strong(&large, &copy, changed));
    copy = atomic_exchange(&large, ((struct large){{4, 5, 6}}));
    printf(" %ld %ld\n", copy.values[2], atomic_load(&large).values[0]);
    return 0;
}
