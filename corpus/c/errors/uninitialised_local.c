// selvedge: run
// expect: violation uninitialised line 11
//
// A local variable that is set on one path only decides a branch on the other.
#include <stdio.h>

static int classify(int value) {
    int large;
    if (value > 100)
        large = 1;
    if (large) // fault: nothing was stored for small values
        return 2;
    return 1;
}

int main(void) {
    printf("%d\n", classify(500));
    printf("%d\n", classify(5));
    return 0;
}
