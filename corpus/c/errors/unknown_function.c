// selvedge: run
// expect: unknown unsupported
//
// A function that nothing defines is called: no result can be invented for it.
#include <stdio.h>

int a_function_of_another_library(int value);

int main(int argc, char **argv) {
    (void)argv;
    printf("before the call\n");
    if (argc > 100)
        return 1;
    int result = a_function_of_another_library(5);
    printf("result %d\n", result);
    return 0;
}
