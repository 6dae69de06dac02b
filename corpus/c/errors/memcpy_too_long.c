// selvedge: run
// expect: violation memory line 17
//
// A structure is copied with the size of a larger one.
#include <stdio.h>
#include <string.h>

struct header { int kind, length; };
struct packet { struct header header; char body[24]; };

static struct packet packet = {{1, 24}, "body"};

int main(void) {
    struct header header;
    printf("%zu %zu\n", sizeof header, sizeof packet);
    volatile size_t size = sizeof packet;
    memcpy(&header, &packet, size); // fault: only the header fits
    printf("%d\n", header.kind);
    return 0;
}
