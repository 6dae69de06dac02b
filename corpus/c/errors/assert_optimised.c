// selvedge: run
// expect: violation assertion line 11
// cflags: -O2
//
// A failing assertion at -O2, behind an inlined call; the line is still that of the assertion.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static inline int checked_half(int value) {
    assert(value % 2 == 0); // fault: nine is odd
    return value / 2;
}

int main(void) {
    int sum = 0;
    for (const char *digit = "2489"; *digit; digit++)
        sum += checked_half(*digit - '0');
    printf("%d\n", sum);
    return 0;
}
