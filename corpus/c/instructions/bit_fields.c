// selvedge: run
// expect: exit 0
// native: same
//
// Bit-fields of odd widths, signed ones, ones that straddle a unit, and their neighbours that must not change.
#include <stdio.h>
#include <string.h>

struct packet {
    unsigned version : 3;
    unsigned flags : 5;
    signed delta : 7;
    unsigned : 0;
    unsigned long sequence : 45;
    unsigned long rest : 19;
    _Bool valid : 1;
};

struct __attribute__((packed)) tight {
    unsigned first : 5;
    unsigned second : 13;
    unsigned third : 27;
};

int main(void) {
    struct packet packet;
    memset(&packet, 0, sizeof packet);
    packet.version = 5;
    packet.flags = 31;
    packet.delta = -64;
    packet.sequence = 0x123456789abul;
    packet.rest = 0x7ffff;
    packet.valid = 2;
    packet.flags++;
    packet.delta += 3;
    packet.sequence *= 3;
    printf("%u %u %d %lx %lx %d\n", packet.version, packet.flags, packet.delta,
           (unsigned long)packet.sequence, (unsigned long)packet.rest, packet.valid);

    struct tight tight = {.first = 17, .second = 8191, .third = 0x5555555};
    tight.second -= 4096;
    tight.first ^= 0x1e;
    unsigned char bytes[sizeof tight];
    memcpy(bytes, &tight, sizeof tight);
    printf("%zu %zu:", sizeof packet, sizeof tight);
    for (size_t i = 0; i < 5; i++)
        printf(" %02x", bytes[i]);
    printf("\n%u %u %x\n", tight.first, tight.second, tight.third);
    return 0;
}
