// selvedge: run
// expect: violation memory line 17
//
// An integer that never was an address is used as one.
#include <stdint.h>
#include <stdio.h>

static uint64_t mix(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdul;
    return x ^ x >> 33;
}

int main(void) {
    int *wild = (int *)(uintptr_t)(mix(12345) & 0x00007ffffffffff8ul);
    printf("about to read\n");
    int value = *wild; // fault: nothing is there
    printf("%d\n", value);
    return 0;
}
