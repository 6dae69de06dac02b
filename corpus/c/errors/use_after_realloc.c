// selvedge: run
// expect: violation memory line 17
//
// A pointer into a block is kept while the block moves; the old memory belongs to someone else by then.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *values = malloc(4 * sizeof *values);
    for (int i = 0; i < 4; i++)
        values[i] = i;
    int *third = &values[2];
    values = realloc(values, 4096 * sizeof *values);
    int *other = malloc(4 * sizeof *other);
    for (int i = 0; i < 4; i++)
        other[i] = 100 + i;
    printf("%d\n", *third); // fault: third points into the old block
    free(other);
    free(values);
    return 0;
}
