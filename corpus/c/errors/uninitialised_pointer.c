// selvedge: run
// expect: violation uninitialised line 17
//
// The address itself was never written.
#include <stdio.h>
#include <stdlib.h>

struct holder {
    int count;
    int *values;
};

int main(void) {
    struct holder *holder = malloc(sizeof *holder);
    holder->count = 1;
    printf("%d\n", holder->count);
    int first = holder->values[0]; // fault: values points nowhere
    printf("%d\n", first);
    free(holder);
    return 0;
}
