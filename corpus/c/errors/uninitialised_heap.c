// selvedge: run
// expect: violation uninitialised line 17
//
// A branch on memory from malloc that nobody has written.
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int width;
    int verbose;
};

int main(void) {
    struct settings *settings = malloc(sizeof *settings);
    settings->width = 80;
    printf("width %d\n", settings->width);
    if (settings->verbose) // fault: only the width was set
        printf("verbose\n");
    free(settings);
    return 0;
}
