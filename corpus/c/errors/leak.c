// selvedge: run --leaks
// expect: violation leak
//
// A block to which no pointer remains when the program ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *shout(const char *text) {
    size_t length = strlen(text);
    char *result = malloc(length + 2);
    memcpy(result, text, length);
    result[length] = '!';
    result[length + 1] = 0;
    return result;
}

int main(void) {
    char *text = shout("hello");
    printf("%s\n", text);
    text = shout("goodbye");
    printf("%s\n", text);
    free(text);
    text = NULL;
    return 0;
}
