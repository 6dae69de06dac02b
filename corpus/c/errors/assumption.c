// selvedge: run
// expect: unknown an assumption of the program does not hold
//
// An execution in which an assumption does not hold is none that the program asks about: neither right nor wrong.
#include <stdio.h>

void __VERIFIER_assume(int condition);

int main(int argc, char **argv) {
    (void)argv;
    __VERIFIER_assume(argc == 1);
    printf("one argument\n");
    __VERIFIER_assume(argc > 1);
    printf("never said\n");
    return 1;
}
