// selvedge: run
// expect: exit 0
// native: same
// cflags: -O2 -funsigned-char
//
// Volatile accesses are kept and kept in order; plain char is unsigned here; string bytes above 127.
#include <stdio.h>
#include <string.h>

static volatile int device;
static volatile char status[4] = {'a', 'b'};

struct registers {
    volatile unsigned control : 4;
    volatile unsigned mode : 4;
    volatile long data;
};

static int poll(volatile int *port) {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        *port = *port + i;
        sum += *port;
    }
    return sum;
}

int main(void) {
    device = 3;
    int polled = poll(&device);
    printf("%d %d\n", polled, device);
    struct registers registers = {0};
    registers.control = 9;
    registers.mode |= 6;
    registers.data++;
    printf("%u %u %ld\n", registers.control, registers.mode, registers.data);
    status[2] = (char)(status[0] + 1);
    printf("%c%c%c %d\n", status[0], status[1], status[2], status[3]);
    char high = '\xe9';
    const char *text = "caf\xe9";
    printf("%d %d %d\n", high > 0, text[3], strchr(text, 0xe9) == text + 3);
    signed char negative = (signed char)high;
    printf("%d %d\n", negative, (unsigned char)negative);
    return 0;
}
