// selvedge: run
// expect: exit 0
// stdout: the assertion was not compiled
// native: same
// cflags: -DNDEBUG
//
// The passing twin: with NDEBUG an assertion is nothing, not even its side effects.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int evaluated = 0;
    assert(evaluated++ > 100);
    printf("the assertion was %s\n", evaluated ? "evaluated" : "not compiled");
    return 0;
}
