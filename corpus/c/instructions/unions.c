// selvedge: run
// expect: exit 0
// native: same
//
// Unions: one storage seen through several types, tagged unions, and a union passed by value.
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t whole;
    uint16_t halves[2];
    uint8_t bytes[4];
    float real;
};

struct value {
    enum { INTEGER, REAL, TEXT } kind;
    union {
        long integer;
        double real;
        const char *text;
    };
};

static void show(struct value value) {
    switch (value.kind) {
    case INTEGER: printf("integer %ld\n", value.integer); break;
    case REAL: printf("real %g\n", value.real); break;
    case TEXT: printf("text %s\n", value.text); break;
    }
}

static union word flip(union word word) {
    for (int i = 0; i < 2; i++) {
        uint8_t byte = word.bytes[i];
        word.bytes[i] = word.bytes[3 - i];
        word.bytes[3 - i] = byte;
    }
    return word;
}

int main(void) {
    union word word = {.real = 1.0f};
    printf("%08x %04x %02x\n", word.whole, word.halves[1], word.bytes[3]);
    word.bytes[0] = 0xcd;
    word.halves[1] |= 0x80;
    printf("%08x %.9g\n", word.whole, word.real);
    printf("%08x\n", flip(word).whole);
    show((struct value){INTEGER, .integer = -5});
    show((struct value){REAL, .real = 2.5});
    show((struct value){TEXT, .text = "hello"});
    return 0;
}
