// selvedge: run
// expect: exit 0
// native: same
//
// Loops of every form, goto out of and into blocks, short circuits, conditional expressions, the comma.
#include <stdio.h>

static int calls;
static int yes(int tag) { calls = calls * 10 + tag; return 1; }
static int no(int tag) { calls = calls * 10 + tag; return 0; }

static int collatz(unsigned long n) {
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static int find(int matrix[3][3], int wanted) {
    int row, column;
    for (row = 0; row < 3; row++)
        for (column = 0; column < 3; column++)
            if (matrix[row][column] == wanted)
                goto found;
    return -1;
found:
    return row * 10 + column;
}

int main(void) {
    int a = yes(1) && no(2) && yes(3), b = no(4) || yes(5) || yes(6), c = !(no(7) | yes(8));
    printf("%d %d %d %d\n", a, b, c, calls);
    printf("%d %d\n", collatz(27), collatz(97));
    int matrix[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%d %d\n", find(matrix, 6), find(matrix, 10));
    int i = 0, sum = 0;
    do {
        if (i == 3)
            continue;
        if (i > 6)
            break;
        sum += i;
    } while (++i < 10);
    printf("%d %d\n", i, sum);
    int backwards = 0;
again:
    if (++backwards < 4)
        goto again;
    for (int x = 0, y = 10; x < y; x += 2, y--)
        backwards = (calls++, backwards + y);
    printf("%d %d\n", backwards, ({ int t = sum * 2; t + 1; }));
    for (int limit = 2, prime; limit < 30; limit++) {
        prime = 1;
        for (int d = 2; d * d <= limit; d++)
            prime = limit % d == 0 ? 0 : prime;
        if (prime)
            printf("%d ", limit);
    }
    printf("%s\n", sum > 10 ? sum > 20 ? "large" : "medium" : "small");
    return 0;
}
