// selvedge: run
// expect: exit 0
// stdout: 1 2 7
// stdout: copied 5 bytes of text
// stdout: 3
// native: same
//
// The passing twin: copying padding and unset bytes is no error as long as nothing depends on them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char letter; /* seven bytes of padding follow */
    long number;
    char last;
};

static struct padded through(struct padded value) { return value; }

int main(void) {
    struct padded a, b, *heap = malloc(sizeof *heap);
    a.letter = 1;
    a.number = 2;
    a.last = 7;
    b = a;
    memcpy(heap, &b, sizeof b);
    *heap = through(*heap);
    printf("%d %ld %d\n", heap->letter, heap->number, heap->last);

    char buffer[64], copy[64];
    strcpy(buffer, "text");
    memcpy(copy, buffer, sizeof copy);
    printf("copied %zu bytes of text\n", strlen(copy) + 1);

    struct { unsigned low : 4, high : 4; } bits;
    bits.low = 3;
    printf("%u\n", bits.low);
    int unused;
    int *keep = &unused;
    memmove(heap, keep, sizeof unused);
    free(heap);
    return 0;
}
