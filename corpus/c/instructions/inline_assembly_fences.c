// selvedge: run
// expect: exit 0
// stdout: 1 2
// native: same
//
// Inline assembly that every processor understands the same way: fences, hints, barriers for the compiler.
#include <stdio.h>

int main(void) {
    int a = 1, b = 2;
    __asm__ volatile("" : "+r"(a) : : "memory");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("pause");
    printf("%d %d\n", a, b);
    return 0;
}
