// selvedge: run
// expect: violation memory line 11
//
// Off by one: the loop reads one element after a heap block.
#include <stdio.h>
#include <stdlib.h>

static long sum(const int *values, int count) {
    long total = 0;
    for (int i = 0; i <= count; i++)
        total += values[i]; // fault: when i is count
    return total;
}

int main(void) {
    int *values = malloc(5 * sizeof *values);
    for (int i = 0; i < 5; i++)
        values[i] = i;
    printf("%ld\n", sum(values, 5));
    free(values);
    return 0;
}
