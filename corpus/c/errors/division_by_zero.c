// selvedge: run
// expect: violation division line 11
//
// The average of nothing.
#include <stdio.h>

static int average(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count; // fault: the second call passes no values
}

int main(void) {
    int values[] = {2, 4, 6};
    printf("%d\n", average(values, 3));
    printf("%d\n", average(values, 0));
    return 0;
}
