/* The 48-bit linear congruential generators. Like the C library's they are not made for several threads. */
#include <stdint.h>
#include <stdlib.h>

static uint64_t state, factor = 0x5DEECE66D, addend = 0xB;

static const uint64_t MASK = 0xFFFFFFFFFFFF;

static uint64_t from_words(const unsigned short words[3]) {
    return words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
}

static void to_words(uint64_t value, unsigned short words[3]) {
    words[0] = value;
    words[1] = value >> 16;
    words[2] = value >> 32;
}

static uint64_t advance(void) { return state = (state * factor + addend) & MASK; }

static uint64_t advance_words(unsigned short words[3]) {
    uint64_t next = (from_words(words) * factor + addend) & MASK;
    to_words(next, words);
    return next;
}

static double as_double(uint64_t value) { return (double)value / 281474976710656.0; }

double drand48(void) { return as_double(advance()); }
double erand48(unsigned short words[3]) { return as_double(advance_words(words)); }
long lrand48(void) { return advance() >> 17; }
long nrand48(unsigned short words[3]) { return advance_words(words) >> 17; }
long mrand48(void) { return (int32_t)(advance() >> 16); }
long jrand48(unsigned short words[3]) { return (int32_t)(advance_words(words) >> 16); }

void srand48(long seed) {
    state = (uint64_t)(uint32_t)seed << 16 | 0x330E;
    factor = 0x5DEECE66D;
    addend = 0xB;
}

unsigned short *seed48(unsigned short words[3]) {
    static unsigned short old[3];
    to_words(state, old);
    state = from_words(words);
    factor = 0x5DEECE66D;
    addend = 0xB;
    return old;
}

void lcong48(unsigned short parameters[7]) {
    state = from_words(parameters);
    factor = from_words(parameters + 3);
    addend = parameters[6];
}
