// selvedge: run
// expect: exit 0
// stdout: rand repeats 1, in range 1, varies 1
// stdout: rand_r repeats 1
// stdout: random repeats 1
// stdout: drand48 in range 1
// native: same
//
// Equal seeds give equal sequences; the values themselves are the library's choice.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 50 };

int main(void) {
    int first[COUNT], repeats = 1, in_range = 1, varies = 0;
    srand(7);
    for (int i = 0; i < COUNT; i++) {
        first[i] = rand();
        in_range &= first[i] >= 0 && first[i] <= RAND_MAX;
        varies |= i > 0 && first[i] != first[i - 1];
    }
    srand(7);
    for (int i = 0; i < COUNT; i++)
        repeats &= rand() == first[i];
    printf("rand repeats %d, in range %d, varies %d\n", repeats, in_range, varies);

    unsigned a = 99, b = 99;
    repeats = 1;
    for (int i = 0; i < COUNT; i++)
        repeats &= rand_r(&a) == rand_r(&b);
    printf("rand_r repeats %d\n", repeats);

    srandom(3);
    long r = random();
    srandom(3);
    printf("random repeats %d\n", r == random());

    srand48(5);
    in_range = 1;
    for (int i = 0; i < COUNT; i++) {
        double x = drand48();
        in_range &= x >= 0 && x < 1;
    }
    printf("drand48 in range %d\n", in_range);
    return 0;
}
