// selvedge: run
// expect: violation memory line 19
//
// free of a global array that stood in for an allocated one.
#include <stdio.h>
#include <stdlib.h>

static int fallback[4] = {1, 2, 3, 4};

static int *obtain(int count) {
    int *values = count <= 4 ? fallback : calloc((size_t)count, sizeof *values);
    return values;
}

int main(void) {
    int *large = obtain(100), *small = obtain(3);
    printf("%d %d\n", large[99], small[2]);
    free(large);
    free(small); // fault: it is the global array
    return 0;
}
