// selvedge: run
// expect: violation memory line 9
//
// A string literal is changed in place.
#include <ctype.h>
#include <stdio.h>

static void capitalise(char *text) {
    *text = (char)toupper((unsigned char)*text); // fault: literals are constant
}

int main(void) {
    char array[] = "array";
    char *literal = "literal";
    capitalise(array);
    printf("%s\n", array);
    capitalise(literal);
    printf("%s\n", literal);
    return 0;
}
