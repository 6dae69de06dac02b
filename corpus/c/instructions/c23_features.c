// selvedge: run
// expect: exit 0
// native: same
// cflags: -std=c23
//
// The newer language: constexpr, typeof, auto, nullptr, fixed enums, binary literals, unnamed parameters, = {}.
#include <stdckdint.h>
#include <stdint.h>
#include <stdio.h>

enum small : uint8_t { FIRST = 250, LAST = 255 };

constexpr int table_size = 4;
static_assert(sizeof(enum small) == 1);

struct point { int x, y; };

static bool same(const void *pointer, int) { return pointer == nullptr; }

[[nodiscard]] static int area(struct point p) { return p.x * p.y; }

int main() {
    int table[table_size] = {};
    for (auto i = 0; i < table_size; i++)
        table[i] = 0b101 << i;
    typeof(table[0]) total = 0;
    for (typeof_unqual((const int)0) i = 0; i < table_size; i++)
        total += table[i];
    printf("%d %d %d\n", total, 1'000'000, area((struct point){.y = 6, .x = 7}));
    enum small value = LAST;
    value++;
    printf("%u %d %d\n", value, same(nullptr, 1), same(table, 2));
    int64_t wide;
    int8_t narrow;
    bool overflowed = ckd_add(&narrow, 100, 27);
    printf("%d %d", overflowed, narrow);
    printf(" %d", ckd_mul(&wide, INT64_C(1) << 40, 1 << 23));
    printf(" %d\n", ckd_sub(&narrow, -100, 29));
    unsigned char text[] = u8"\u00e9";
    printf("%zu %u\n", sizeof text, text[0]);
    static thread_local struct point origin = {};
    printf("%d %s\n", origin.x + origin.y, true ? "true" : "false");
    return 0;
}
