// selvedge: run
// expect: exit 200
// stdout: before
// stdout: second
// stdout: first
// native: same
//
// quick_exit runs its own handlers, last registered first, and no others.
#include <stdio.h>
#include <stdlib.h>

static void say(const char *text) {
    puts(text);
    fflush(stdout);
}

static void first(void) { say("first"); }
static void second(void) { say("second"); }
static void ordinary(void) { say("an atexit handler that must not run"); }

int main(void) {
    atexit(ordinary);
    at_quick_exit(first);
    at_quick_exit(second);
    say("before");
    quick_exit(200);
}
