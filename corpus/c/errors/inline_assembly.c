// selvedge: run
// expect: unknown unsupported
//
// Machine instructions in the program cannot be executed, and must not be skipped.
#include <stdio.h>

static unsigned add_with_assembly(unsigned a, unsigned b) {
    __asm__("addl %1, %0" : "+r"(a) : "r"(b));
    return a;
}

int main(void) {
    printf("before\n");
    unsigned sum = add_with_assembly(40, 2);
    printf("%u\n", sum);
    return 0;
}
