// selvedge: run
// expect: violation memory line 15
//
// free of a pointer that has moved on from the start of its block.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = strdup("   indented");
    while (isspace((unsigned char)*text))
        text++;
    printf("%s\n", text);
    free(text); // fault: three bytes behind the start
    return 0;
}
