// selvedge: run
// expect: violation memory line 14
//
// The classic of copying a string without room for its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text) {
    size_t length = strlen(text);
    char *copy = malloc(length);
    for (size_t i = 0; i < length; i++)
        copy[i] = text[i];
    copy[length] = 0; // fault: one byte too few was allocated
    return copy;
}

int main(void) {
    char *copy = duplicate("sixteen letters.");
    printf("%s\n", copy);
    free(copy);
    return 0;
}
