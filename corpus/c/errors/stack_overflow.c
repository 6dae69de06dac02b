// selvedge: run
// expect: violation memory
//
// Recursion without an end, with a buffer in every frame.
#include <stdio.h>

static long depth_of(long n, const char *before) {
    volatile char buffer[4096];
    for (int i = 0; i < 4096; i += 512)
        buffer[i] = (char)(before[i] + 1);
    return depth_of(n + 1, (const char *)buffer) + buffer[0];
}

int main(void) {
    char start[4096] = {0};
    printf("descending\n");
    printf("%ld\n", depth_of(0, start));
    return 0;
}
