// selvedge: run -- alpha "two words" -n 5
// expect: exit 5
// stdout: 5 arguments
// stdout: 1 [alpha]
// stdout: 2 [two words]
// stdout: 3 [-n]
// stdout: 4 [5]
// stdout: terminated 1
// native: same
//
// The arguments of the program, their count and the null pointer after them; the exit code from main.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    printf("%d arguments\n", argc);
    for (int i = 1; i < argc; i++)
        printf("%d [%s]\n", i, argv[i]);
    printf("terminated %d\n", argv[argc] == NULL);
    return atoi(argv[argc - 1]);
}
