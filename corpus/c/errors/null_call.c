// selvedge: run
// expect: violation memory line 15
//
// A call through a null function pointer.
#include <stdio.h>

typedef void handler(int);

static void print(int value) { printf("value %d\n", value); }

static handler *handlers[3] = {print, NULL, print};

int main(void) {
    for (int i = 0; i < 3; i++)
        handlers[i](i); // fault: nobody has registered the second handler
    return 0;
}
