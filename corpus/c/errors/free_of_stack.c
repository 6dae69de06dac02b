// selvedge: run
// expect: violation memory line 16
//
// free of a local array.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char local[32] = "short enough";
    char *text = local;
    if (argc > 5)
        text = strdup("a longer text");
    printf("%s\n", text);
    free(text); // fault: it was never allocated
    return 0;
}
