// selvedge: run
// expect: violation memory line 12
//
// The library reads for us: strlen of bytes without a final zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *bytes = malloc(4);
    memcpy(bytes, "abcd", 4);
    size_t length = strlen(bytes); // fault: runs off the block
    printf("%zu\n", length);
    free(bytes);
    return 0;
}
