// selvedge: run
// expect: violation memory line 13
//
// A write in front of a global array: an empty stack is popped.
#include <stdio.h>

static int stack[8], depth;

static void push(int value) { stack[depth++] = value; }

static void clear_top(void) {
    depth--;
    stack[depth] = 0; // fault: the third call finds nothing
}

int main(void) {
    push(1);
    push(2);
    for (int i = 0; i < 3; i++)
        clear_top();
    printf("%d\n", depth);
    return 0;
}
