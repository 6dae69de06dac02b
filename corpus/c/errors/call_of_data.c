// selvedge: run
// expect: violation memory line 18
//
// A function pointer that points to data.
#include <stdio.h>
#include <string.h>

typedef int operation(int);

static int twice(int x) { return 2 * x; }
static long table[2];

int main(void) {
    operation *function = twice;
    printf("%d\n", function(21));
    void *data = table;
    memcpy(&function, &data, sizeof function);
    int result = function(21); // fault: there is no code
    printf("%d\n", result);
    return 0;
}
