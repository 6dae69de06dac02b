// selvedge: run
// expect: exit 0
// stdout: [b a] [  42] [abc]
// stdout: [+1,-2,3]
// stdout: [3.14]
// native: same
//
// Arguments taken by position, also for widths.
#include <stdio.h>

int main(void) {
    printf("[%2$s %1$s] [%4$*3$d] [%5$s]\n", "a", "b", 4, 42, "abc");
    printf("[%1$+d,%2$d,%3$d]\n", 1, -2, 3);
    printf("[%2$.*1$f]\n", 2, 3.14159);
    return 0;
}
