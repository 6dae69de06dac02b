// selvedge: run
// expect: exit 9
// stdout: before
// native: same
//
// _Exit ends the program without handlers, destructors or anything printed by them.
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { printf("a handler that must not run\n"); }

__attribute__((destructor)) static void after(void) { printf("a destructor that must not run\n"); }

int main(void) {
    atexit(handler);
    at_quick_exit(handler);
    printf("before\n");
    fflush(stdout);
    _Exit(9);
}
