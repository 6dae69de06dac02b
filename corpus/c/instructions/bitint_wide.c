// selvedge: run
// expect: exit 0
// native: same
//
// Integers wider than two machine words: a Fibonacci number, a factorial and its decimal digits.
#include <stdio.h>

typedef unsigned _BitInt(256) u256;
typedef _BitInt(200) s200;

static void decimal(u256 value) {
    char digits[80];
    int at = sizeof digits;
    digits[--at] = 0;
    do {
        digits[--at] = '0' + (char)(value % 10);
        value /= 10;
    } while (value);
    puts(digits + at);
}

int main(void) {
    u256 a = 0, b = 1;
    for (int i = 0; i < 300; i++) {
        u256 next = a + b;
        a = b;
        b = next;
    }
    decimal(a);
    u256 factorial = 1;
    for (int i = 2; i <= 50; i++)
        factorial *= (unsigned)i;
    decimal(factorial);
    s200 negative = -(s200)(factorial >> 100);
    negative >>= 17;
    printf("%d %lx %lx\n", negative < 0, (unsigned long)negative, (unsigned long)(negative >> 64));
    u256 mask = ~(u256)0;
    mask = mask << 255 | mask >> 250;
    printf("%lx %lx\n", (unsigned long)(mask >> 192), (unsigned long)mask);
    printf("%d %d\n", mask > factorial, (int)(mask ^ mask));
    return 0;
}
