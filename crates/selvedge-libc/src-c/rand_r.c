/* rand_r: three steps of a linear congruential generator make one number. */
#include <stdlib.h>

static unsigned step(unsigned *state) {
    *state = *state * 1103515245 + 12345;
    return *state / 65536;
}

int rand_r(unsigned *seed) {
    unsigned state = *seed;
    unsigned result = step(&state) % 2048;
    result = result << 10 ^ step(&state) % 1024;
    result = result << 10 ^ step(&state) % 1024;
    *seed = state;
    return (int)result;
}
