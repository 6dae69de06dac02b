// selvedge: run -- 3 4
// expect: exit 7
// stdout: 3 + 4 = 7
// native: same
//
// Not an error of ours: the program fails with a code of its own, and that code is kept.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "two numbers, please\n");
        return 64;
    }
    int sum = atoi(argv[1]) + atoi(argv[2]);
    printf("%s + %s = %d\n", argv[1], argv[2], sum);
    return sum;
}
