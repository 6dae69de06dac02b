// selvedge: run
// expect: exit 0
// native: same
//
// Deep, double, nested and mutual recursion, and recursion that carries arrays on the stack.
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int hanoi(int disks, char from, char to, char by) {
    return disks == 0 ? 0 : hanoi(disks - 1, from, by, to) + 1 + hanoi(disks - 1, by, to, from);
}

static int queens(int row, int size, int *columns) {
    if (row == size)
        return 1;
    int solutions = 0;
    for (int column = 0; column < size; column++) {
        int safe = 1;
        for (int other = 0; other < row; other++) {
            int distance = columns[other] - column;
            safe &= distance != 0 && distance != row - other && distance != other - row;
        }
        columns[row] = column;
        if (safe)
            solutions += queens(row + 1, size, columns);
    }
    return solutions;
}

static void permute(char *text, int at, int *count) {
    if (!text[at]) {
        if (++*count % 7 == 0)
            printf("%s ", text);
        return;
    }
    for (int i = at; text[i]; i++) {
        char copy[8];
        __builtin_memcpy(copy, text, 8);
        copy[at] = text[i];
        copy[i] = text[at];
        permute(copy, at + 1, count);
    }
}

int main(void) {
    int columns[8], count = 0;
    char letters[8] = "abcd";
    printf("%d %d\n", is_even(3000), is_odd(3000));
    printf("%u %d %d\n", ackermann(2, 9), hanoi(10, 'a', 'c', 'b'), queens(0, 6, columns));
    permute(letters, 0, &count);
    printf("%d %s\n", count, letters);
    return 0;
}
