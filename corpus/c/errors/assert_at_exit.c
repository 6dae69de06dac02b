// selvedge: run
// expect: violation assertion line 12
//
// The assertion fails after main has returned, in a handler.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int open_files;

static void check(void) {
    assert(open_files == 0); // fault: one was not closed
}

int main(void) {
    atexit(check);
    open_files++;
    open_files++;
    open_files--;
    printf("main returns\n");
    return 0;
}
