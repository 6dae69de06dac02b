// selvedge: run
// expect: exit 3
// stdout: main
// stdout: fourth
// stdout: third
// stdout: second
// stdout: first
// native: same
//
// Handlers run in the reverse order of registration, also one that was registered by a handler.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { printf("first\n"); }
static void second(void) { printf("second\n"); }
static void fourth(void) { printf("fourth\n"); }
static void third(void) { printf("third\n"); }

static void registers_another(void) { atexit(fourth); }

int main(void) {
    atexit(first);
    atexit(second);
    atexit(third);
    atexit(registers_another);
    printf("main\n");
    exit(3);
}
