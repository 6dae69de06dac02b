// selvedge: run
// expect: violation memory line 12
//
// A constant table is changed through a pointer that has lost its const.
#include <stdio.h>

static const int limits[3] = {10, 20, 30};
static int variable[3] = {1, 2, 3};

static void raise_all(int *values) {
    for (int i = 0; i < 3; i++)
        values[i] += 5; // fault: in the second call
}

int main(void) {
    raise_all(variable);
    printf("%d\n", variable[2]);
    raise_all((int *)limits);
    printf("%d\n", limits[2]);
    return 0;
}
