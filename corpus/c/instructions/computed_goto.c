// selvedge: run
// expect: exit 0
// native: same
//
// A small byte-code interpreter with computed gotos: block addresses in a table, and label differences.
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, DUPLICATE, DECREMENT, JUMP_IF_NOT_ZERO, PRINT, SWAP, STOP };

static int interpret(const signed char *code) {
    static const void *const labels[] = {&&push, &&add, &&multiply, &&duplicate, &&decrement,
                                         &&jump, &&print, &&swap, &&stop};
    static const int offsets[] = {&&push - &&push, &&add - &&push};
    long stack[16], *top = stack;
    const signed char *next = code;
    int steps = 0;
#define NEXT do { steps++; goto *labels[*next++]; } while (0)
    NEXT;
push: *top++ = *next++; NEXT;
add: top--; top[-1] += *top; NEXT;
multiply: top--; top[-1] *= *top; NEXT;
duplicate: *top = top[-1]; top++; NEXT;
decrement: top[-1]--; NEXT;
jump: { int offset = *next++; if (top[-1]) next += offset; } NEXT;
print: printf("%ld\n", *--top); NEXT;
swap: { long held = top[-1]; top[-1] = top[-2]; top[-2] = held; } NEXT;
stop:
    return steps + (offsets[0] != 0);
}

int main(void) {
    static const signed char countdown[] = {
        PUSH, 7, DUPLICATE, PRINT, DECREMENT, JUMP_IF_NOT_ZERO, -5, PRINT, STOP};
    static const signed char arithmetic[] = {
        PUSH, 6, PUSH, -7, MULTIPLY, PUSH, 2, SWAP, ADD, PRINT, STOP};
    printf("steps %d\n", interpret(countdown));
    printf("steps %d\n", interpret(arithmetic));
    return 0;
}
