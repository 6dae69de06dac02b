// selvedge: run
// expect: violation abort line 11
//
// The program gives up by itself.
#include <stdio.h>
#include <stdlib.h>

static int parse_digit(char c) {
    if (c < '0' || c > '9') {
        fprintf(stderr, "not a digit: %c\n", c);
        abort(); // fault: the third character is a letter
    }
    return c - '0';
}

int main(void) {
    int value = 0;
    for (const char *text = "12x4"; *text; text++)
        value = value * 10 + parse_digit(*text);
    printf("%d\n", value);
    return 0;
}
