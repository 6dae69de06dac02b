// selvedge: run
// expect: violation division line 9
//
// The smallest integer divided by minus one has no result.
#include <limits.h>
#include <stdio.h>

static int divide(int a, int b) {
    return a / b; // fault: INT_MIN / -1
}

int main(void) {
    int divisors[] = {2, 1, -1};
    printf("%d\n", divide(INT_MAX, -1));
    for (int i = 0; i < 3; i++)
        printf("%d\n", divide(INT_MIN, divisors[i]));
    return 0;
}
