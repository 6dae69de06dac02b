// selvedge: run
// expect: exit 0
// native: same
//
// Integers of odd widths up to 128 bits: wrap-around, sign extension, shifts, conversion, storage with padding.
#include <stdio.h>

typedef unsigned _BitInt(3) u3;
typedef _BitInt(7) s7;
typedef unsigned _BitInt(17) u17;
typedef _BitInt(33) s33;
typedef unsigned _BitInt(65) u65;
typedef _BitInt(100) s100;

struct mixed {
    u3 a;
    u17 b;
    s33 c;
    u65 d;
};

static s33 scale(s33 value, s7 by) { return value * by; }

int main(void) {
    u3 three = 5;
    three += 6;
    s7 seven = 63;
    seven -= 100;
    printf("%u %d %d\n", (unsigned)three, (int)seven, (int)(seven >> 2));
    u17 seventeen = 131071;
    seventeen *= seventeen;
    printf("%u %u %d\n", (unsigned)seventeen, (unsigned)(u17)(seventeen - 2), seventeen < (u17)2);
    s33 wide = -4294967296l;
    printf("%ld %ld %ld\n", (long)wide, (long)scale(wide / 128, -3), (long)(wide % 1000));
    u65 big = (u65)1 << 64;
    big |= 12345;
    printf("%lx %lx %d\n", (unsigned long)(big >> 1), (unsigned long)big, big > (u65)0xffffffffffffffffull);
    s100 huge = 1;
    huge <<= 90;
    huge = -huge;
    huge += 7;
    printf("%ld %ld %d\n", (long)(huge >> 80), (long)(huge & 0xff), huge < 0);
    struct mixed array[2] = {{1, 2, 3, 4}, {7, 70000, -5, (u65)9 << 60}};
    array[0] = array[1];
    array[1].a++;
    printf("%u %u %ld %lx\n", (unsigned)array[0].a, (unsigned)array[0].b, (long)array[0].c,
           (unsigned long)(array[0].d >> 60));
    printf("%u %zu\n", (unsigned)array[1].a, sizeof array[0]);
    double real = (double)(s100)huge;
    printf("%g %ld\n", real, (long)(s33)-2.75);
    return 0;
}
