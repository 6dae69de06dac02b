// selvedge: run
// expect: exit 0
// stdout: refused 1
// stdout: the small one works 99
// native: same
//
// Not an error of ours: an allocation that cannot be served gives null, and the program copes.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile size_t huge = (size_t)-1 / 2 - 4096;
    char *block = malloc(huge);
    printf("refused %d\n", block == NULL);
    int *small = malloc(sizeof *small);
    *small = 99;
    printf("the small one works %d\n", *small);
    free(small);
    free(block);
    return 0;
}
