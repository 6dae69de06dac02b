// selvedge: run
// expect: violation uninitialised line 23
//
// One field of a structure was forgotten; the structure is copied, returned and only then asked.
#include <stdio.h>

struct options {
    int width, height;
    char bold, italic;
};

static struct options defaults(void) {
    struct options options;
    options.width = 80;
    options.height = 25;
    options.bold = 0;
    return options;
}

int main(void) {
    struct options options = defaults(), copy = options;
    printf("%d x %d\n", copy.width, copy.height);
    if (copy.italic) // fault: never set, in the original nor in the copy
        printf("italic\n");
    return 0;
}
