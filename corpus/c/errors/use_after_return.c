// selvedge: run
// expect: violation memory line 17
//
// A pointer to a local variable outlives the call.
#include <stdio.h>

static int *leaked_address;

static void remember(int value) {
    int local = value;
    leaked_address = &local;
    printf("remembering %d\n", *leaked_address);
}

int main(void) {
    remember(42);
    int recalled = *leaked_address; // fault: the variable is gone
    printf("recalled %d\n", recalled);
    return 0;
}
