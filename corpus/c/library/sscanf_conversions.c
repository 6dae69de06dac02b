// selvedge: run
// expect: exit 0
// native: same
//
// The conversions of sscanf: integers in all bases, floats, strings, sets, widths, suppression, counts.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, c = 0, n = -1;
    printf("%d", sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &c));
    printf(" %d %d %d\n", a, b, c);
    unsigned u = 0, x = 0, o = 0;
    printf("%d", sscanf("4294967295 beef 777", "%u %x %o", &u, &x, &o));
    printf(" %u %x %o\n", u, x, o);
    long l = 0;
    short h = 0;
    signed char hh = 0;
    printf("%d", sscanf("-9000000000 -123 65", "%ld %hd %hhd", &l, &h, &hh));
    printf(" %ld %d %d\n", l, h, hh);
    double d = 0;
    float f = 0;
    long double e = 0;
    printf("%d", sscanf("3.5 -1e3 0x1p4", "%lf %f %Lf", &d, &f, &e));
    printf(" %g %g %Lg\n", d, f, e);
    char word[16] = "", rest[16] = "", one = 0;
    printf("%d", sscanf("  hello,world", "%5s%c%s", word, &one, rest));
    printf(" [%s] [%c] [%s]\n", word, one, rest);
    printf("%d", sscanf("abc123def", "%[a-z]%d%[^f]%n", word, &a, rest, &n));
    printf(" [%s] %d [%s] %d\n", word, a, rest, n);
    printf("%d", sscanf("2026-11-15", "%4d-%2d-%2d", &a, &b, &c));
    printf(" %d %d %d\n", a, b, c);
    printf("%d", sscanf("10 20 30", "%*d %d %*s%n", &a, &n));
    printf(" %d %d\n", a, n);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("5%", "%d%%", &a));
    printf("%d", sscanf("123456", "%2d%3d%d", &a, &b, &c));
    printf(" %d %d %d\n", a, b, c);
    char three[4] = "...";
    printf("%d [%s]\n", sscanf(" ab", "%3c", three), three);
    return 0;
}
