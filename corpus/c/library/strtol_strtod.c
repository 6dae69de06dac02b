// selvedge: run
// expect: exit 0
// native: same
//
// Text to numbers: bases, signs, where the number ends, overflow and errno.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void integer(const char *text, int base) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    printf("%ld [%s] %d\n", value, end, errno == ERANGE);
}

static void real(const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    printf("%.17g [%s] %d\n", value, end, errno == ERANGE);
}

int main(void) {
    integer("42", 10);
    integer("  -17abc", 10);
    integer("0x1fg", 0);
    integer("0755", 0);
    integer("zz", 36);
    integer("102", 2);
    integer("", 10);
    integer("99999999999999999999", 10);
    integer("-99999999999999999999", 10);
    real("3.14159");
    real("-1e-3xyz");
    real(".5.");
    real("0x1.8p3");
    real("inf");
    real("1e999");
    real("1e-400");
    real("hello");
    real("179769313486231580793728971405301e276");
    printf("%lu %llu\n", strtoul("18446744073709551615", NULL, 10), strtoull("-1", NULL, 10));
    printf("%d %ld %lld %g\n", atoi("-12x"), atol("123456789012"), atoll("7"), atof("2.5e2"));
    printf("%.9g %.15Lg %jd\n", strtof("0.1", NULL), strtold("0.1", NULL), strtoimax("77", NULL, 8));
    printf("%d %ld\n", abs(-5), labs(-6l));
    div_t quotient = div(-17, 5);
    printf("%d %d\n", quotient.quot, quotient.rem);
    return 0;
}
