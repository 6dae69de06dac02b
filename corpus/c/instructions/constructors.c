// selvedge: run
// expect: exit 0
// stdout: early constructor
// stdout: late constructor
// stdout: main sees 30
// stdout: atexit handler
// stdout: late destructor
// stdout: early destructor
// native: same
//
// Functions before and after main, in the order of their priorities, with atexit in between.
#include <stdio.h>
#include <stdlib.h>

static int value = 1;

__attribute__((constructor(300))) static void late(void) {
    printf("late constructor\n");
    value *= 3;
}

__attribute__((constructor(200))) static void early(void) {
    printf("early constructor\n");
    value += 9;
}

__attribute__((destructor(200))) static void last(void) { printf("early destructor\n"); }
__attribute__((destructor(300))) static void first(void) { printf("late destructor\n"); }

static void handler(void) { printf("atexit handler\n"); }

int main(void) {
    atexit(handler);
    printf("main sees %d\n", value);
    return 0;
}
