// selvedge: run
// expect: violation unreachable line 15
//
// The author was sure that there are only three colours.
#include <stdio.h>

enum colour { RED, GREEN, BLUE };

static const char *name(enum colour colour) {
    switch (colour) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    __builtin_unreachable(); // fault: for the fourth
}

int main(void) {
    for (int i = 0; i < 4; i++)
        printf("%s\n", name((enum colour)i));
    return 0;
}
