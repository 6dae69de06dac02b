// selvedge: run
// expect: violation memory line 9
//
// A local array that is one byte too short for what is copied into it.
#include <stdio.h>

static int copy(char *to, const char *from) {
    int length = 0;
    while ((to[length] = from[length]) != 0) // fault: the end of the text has no place
        length++;
    return length;
}

int main(void) {
    char small[8];
    int length = copy(small, "eight...");
    printf("%d %s\n", length, small);
    return 0;
}
