// selvedge: run
// expect: violation memory line 11
//
// A search from the end that does not find its character runs out at the front.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path) {
    const char *at = path + strlen(path);
    while (at[-1] != '/') // fault: there is no slash
        at--;
    return at;
}

int main(void) {
    char *first = strdup("usr/bin/tool"), *second = strdup("tool");
    printf("%s\n", base_name(first));
    printf("%s\n", base_name(second));
    free(first);
    free(second);
    return 0;
}
