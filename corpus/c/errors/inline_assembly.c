// selvedge: run
// expect: unknown unsupported
//
// Machine instructions that are not known cannot be executed, and must not be skipped.
#include <stdio.h>

static unsigned doubled_with_assembly(unsigned a, unsigned times) {
    __asm__("1: addl %0, %0; decl %1; jnz 1b" : "+r"(a), "+r"(times));
    return a;
}

int main(void) {
    printf("before\n");
    unsigned sum = doubled_with_assembly(40, 2);
    printf("%u\n", sum);
    return 0;
}
