// selvedge: run
// expect: violation memory line 19
//
// The freed block is given out again at once: the address is valid, the old pointer still is not.
#include <stdio.h>
#include <stdlib.h>

struct account {
    long balance;
};

int main(void) {
    struct account *mine = malloc(sizeof *mine);
    mine->balance = 10;
    struct account *stale = mine;
    free(mine);
    struct account *yours = malloc(sizeof *yours);
    yours->balance = 1000;
    stale->balance -= 500; // fault: through the pointer to the freed block
    printf("%ld\n", yours->balance);
    free(yours);
    return 0;
}
