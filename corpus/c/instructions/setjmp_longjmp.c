// selvedge: run
// expect: exit 0
// native: same
//
// Non-local jumps: through several frames, with the value, longjmp(0) read as 1, nested contexts, a retry loop.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;

static void sink(int depth) {
    if (depth == 0)
        longjmp(inner, 7);
    sink(depth - 1);
    printf("never printed\n");
}

static int parse(const char *text) {
    int value = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            longjmp(outer, *text);
        value = value * 10 + (*text - '0');
    }
    return value;
}

int main(void) {
    int code = setjmp(inner);
    if (code == 0)
        sink(5);
    printf("returned %d\n", code);

    static const char *const inputs[] = {"12", "3x4", "567", "-8"};
    for (volatile int i = 0; i < 4; i++) {
        int bad = setjmp(outer);
        if (bad)
            printf("bad character %c in %s\n", bad, inputs[i]);
        else
            printf("parsed %d\n", parse(inputs[i]));
    }

    volatile int attempts = 0;
    if (setjmp(outer) != 1)
        printf("first time\n");
    else
        printf("again %d\n", attempts);
    if (++attempts < 3)
        longjmp(outer, 0);
    printf("attempts %d\n", attempts);
    return 0;
}
