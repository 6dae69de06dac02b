// selvedge: run
// expect: violation assertion line 19
//
// An assertion of the main thread that always fails.
#include <assert.h>
#include <stdio.h>

static int average(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(void) {
    int values[] = {1, 2, 3, 4};
    int result = average(values, 4);
    printf("average %d\n", result);
    assert(result == 3); // fault: the average of integers is rounded down
    return 0;
}
