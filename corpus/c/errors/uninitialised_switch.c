// selvedge: run
// expect: violation uninitialised line 15
//
// The value of a switch comes, through arithmetic and memcpy, from an array that was only half filled.
#include <stdio.h>
#include <string.h>

int main(void) {
    int codes[4], copy[4];
    for (int i = 0; i < 2; i++)
        codes[i] = i;
    memcpy(copy, codes, sizeof copy);
    for (int i = 0; i < 4; i++) {
        int code = copy[i] * 2 + 1;
        switch (code) { // fault: for the third element
        case 1: printf("one\n"); break;
        case 3: printf("three\n"); break;
        default: printf("other\n"); break;
        }
    }
    return 0;
}
