// selvedge: run
// expect: exit 0
// stdout: the call is not made
//
// A function that nothing defines is mentioned but never called: the program runs to its end.
#include <stdio.h>

int a_function_of_another_library(int value);

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 100)
        printf("%d\n", a_function_of_another_library(5));
    printf("the call is not made\n");
    return 0;
}
