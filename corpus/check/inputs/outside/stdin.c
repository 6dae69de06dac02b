// selvedge: check --symbolic-stdin 4
// expect: violation assertion
// selvedge: check --symbolic-stdin 2
// expect: verified
//
// A number at the end of four bytes is divided by.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    unsigned char bytes[3];
    int first = getchar();
    if (first != 'q')
        return 0;
    if (fread(bytes, 1, 3, stdin) != 3)
        return 0;
    unsigned number = bytes[1] << 8 | bytes[2];
    assert(bytes[0] != 1 || number != 1000);
    return 0;
}
