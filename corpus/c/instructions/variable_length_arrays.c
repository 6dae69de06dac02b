// selvedge: run
// expect: exit 0
// native: same
//
// Arrays whose size is known at run time, in one and two dimensions, as parameters, in loops; alloca.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int matrix[n][n]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += matrix[i][i];
    return sum;
}

static int identity_trace(int n) {
    int matrix[n][n];
    memset(matrix, 0, sizeof matrix);
    for (int i = 0; i < n; i++)
        matrix[i][i] = 1;
    return trace(n, matrix) + (int)(sizeof matrix / sizeof matrix[0][0]);
}

static char *reversed(const char *text, char *out) {
    size_t length = strlen(text);
    char *scratch = alloca(length + 1);
    for (size_t i = 0; i < length; i++)
        scratch[i] = text[length - 1 - i];
    scratch[length] = 0;
    return strcpy(out, scratch);
}

int main(void) {
    for (int n = 1; n < 6; n++)
        printf("%d ", identity_trace(n));
    printf("\n");
    long total = 0;
    for (int round = 1; round <= 50; round++) {
        long block[round];
        for (int i = 0; i < round; i++)
            block[i] = i;
        total += block[round - 1] + (long)sizeof block;
    }
    char out[32];
    printf("%ld %s\n", total, reversed("variable", out));
    int rows = 3, columns = 4, (*grid)[columns] = alloca(sizeof(int[rows][columns]));
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            grid[r][c] = r * 10 + c;
    printf("%d %d %zu\n", grid[2][3], *(grid[1] + 2), sizeof *grid);
    return 0;
}
