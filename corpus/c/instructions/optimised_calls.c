// selvedge: run
// expect: exit 0
// native: same
// cflags: -O2
//
// What -O2 makes of calls: aggregates in registers, tail calls, inlining, argument promotion, saturation.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct slice { const char *start; long length; };
struct result { int ok; double value; };

__attribute__((noinline)) static struct slice trim(struct slice s) {
    while (s.length && s.start[0] == ' ')
        s.start++, s.length--;
    while (s.length && s.start[s.length - 1] == ' ')
        s.length--;
    return s;
}

__attribute__((noinline)) static struct result parse(struct slice s) {
    double value = 0;
    for (long i = 0; i < s.length; i++) {
        if (s.start[i] < '0' || s.start[i] > '9')
            return (struct result){0, (double)i};
        value = value * 10 + (s.start[i] - '0');
    }
    return (struct result){1, value};
}

__attribute__((noinline)) static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

__attribute__((noinline)) static uint8_t brighten(uint8_t pixel, uint8_t by) {
    unsigned sum = pixel + by;
    return sum > 255 ? 255 : (uint8_t)sum;
}

__attribute__((noinline)) static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

__attribute__((noinline)) static int is_power(unsigned x) { return x && !(x & (x - 1)); }

int main(void) {
    const char *inputs[] = {"  42 ", "7x", "   ", "1000000"};
    for (int i = 0; i < 4; i++) {
        struct slice slice = trim((struct slice){inputs[i], (long)strlen(inputs[i])});
        struct result result = parse(slice);
        printf("[%.*s] %d %g\n", (int)slice.length, slice.start, result.ok, result.value);
    }
    printf("%u %u\n", gcd(1071, 462), gcd(17, 5));
    printf("%u %u %d %d %d\n", brighten(100, 100), brighten(200, 100), clamp(-5, 0, 9), clamp(5, 0, 9), clamp(50, 0, 9));
    printf("%d%d%d%d\n", is_power(0), is_power(1), is_power(96), is_power(1u << 31));
    return 0;
}
