// selvedge: run
// expect: violation memory line 14
//
// The last read begins inside the block and ends behind it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) word {
    unsigned value;
};

static unsigned load(const unsigned char *from) {
    return ((const struct word *)from)->value; // fault: two of four bytes are outside
}

int main(void) {
    unsigned char *bytes = malloc(10);
    memset(bytes, 1, 10);
    unsigned sum = 0;
    for (int at = 0; at < 10; at += 4)
        sum += load(bytes + at);
    printf("%x\n", sum);
    free(bytes);
    return 0;
}
