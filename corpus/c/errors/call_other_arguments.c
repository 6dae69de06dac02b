// selvedge: run
// expect: violation memory line 21
//
// A function that takes a double is called with an integer, through a pointer of another type: no register that it looks at
// was given a value.
#include <stdio.h>

static double last;

static int store(double value) {
    last = value;
    return 1;
}

typedef int (*other)(long);

static other volatile chosen;

int main(void) {
    chosen = (other)store;
    int done = chosen(5); // fault: another type
    printf("%d %g\n", done, last);
    return 0;
}
