// selvedge: run
// expect: exit 0
// native: same
// cflags: -O1
//
// A checksum, a hash and a random generator at -O1: funnel shifts, wide multiplications, table lookups.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

static void prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc32(const void *data, size_t size) {
    const uint8_t *bytes = data;
    uint32_t c = ~0u;
    while (size--)
        c = table[(c ^ *bytes++) & 255] ^ c >> 8;
    return ~c;
}

static uint64_t fnv(const char *text) {
    uint64_t hash = 14695981039346656037ul;
    while (*text)
        hash = (hash ^ (uint8_t)*text++) * 1099511628211ul;
    return hash;
}

static uint64_t state[2] = {1, 2};

static uint64_t xoroshiro(void) {
    uint64_t a = state[0], b = state[1], result = a + b;
    b ^= a;
    state[0] = (a << 24 | a >> 40) ^ b ^ b << 16;
    state[1] = b << 37 | b >> 27;
    return result;
}

static uint64_t high(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

int main(void) {
    const char *text = "The quick brown fox jumps over the lazy dog";
    prepare();
    printf("%08x %016lx\n", crc32(text, strlen(text)), fnv(text));
    uint64_t mixed = 0;
    for (int i = 0; i < 100; i++)
        mixed = high(mixed ^ xoroshiro(), 0x9e3779b97f4a7c15ul) + mixed * 3;
    printf("%016lx\n", mixed);
    return 0;
}
