// selvedge: run
// expect: violation memory line 12
//
// The library writes for us: strcpy into a heap block that is too small.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *greeting = "hello, world";
    char *copy = malloc(strlen(greeting));
    strcpy(copy, greeting); // fault: no place for the final zero
    printf("%s\n", copy);
    free(copy);
    return 0;
}
