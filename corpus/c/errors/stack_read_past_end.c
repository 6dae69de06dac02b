// selvedge: run
// expect: violation memory line 10
//
// A two-dimensional local array read with its indices the wrong way round.
#include <stdio.h>

static int sum_column(int (*grid)[3], int rows, int column) {
    int sum = 0;
    for (int row = 0; row < rows; row++)
        sum += grid[row][column]; // fault: there are only two rows
    return sum;
}

int main(void) {
    int grid[2][3];
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            grid[row][column] = row + column;
    printf("%d\n", sum_column(grid, 3, 1));
    return 0;
}
