// selvedge: run
// expect: exit 0
// native: same
// cflags: -D_GNU_SOURCE
//
// The copying half of string.h: what is written, what is padded, what is returned.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bytes(const char *label, const char *from, size_t count) {
    printf("%s", label);
    for (size_t i = 0; i < count; i++)
        printf(" %02x", (unsigned char)from[i]);
    printf("\n");
}

int main(void) {
    char buffer[16];
    memset(buffer, '#', sizeof buffer);
    strncpy(buffer, "abc", 6);
    bytes("padded", buffer, 8);
    strncpy(buffer, "abcdefgh", 4);
    bytes("unterminated", buffer, 8);
    strcpy(buffer, "left");
    strcat(buffer, "right");
    strncat(buffer, "middle", 3);
    printf("%s\n", buffer);
    memmove(buffer + 2, buffer, 8);
    printf("%.12s\n", buffer);
    memmove(buffer, buffer + 3, 8);
    printf("%.12s\n", buffer);
    char *end = stpcpy(buffer, "12345");
    printf("%ld %s\n", (long)(end - buffer), buffer);
    char *after = mempcpy(buffer, "ab", 2);
    printf("%ld %s\n", (long)(after - buffer), buffer);
    char *found = memccpy(buffer, "stop here", ' ', 9);
    bytes("memccpy", buffer, (size_t)(found - buffer));

    char *copy = strdup("a duplicate"), *part = strndup("a duplicate", 5);
    printf("[%s] [%s]\n", copy, part);
    free(copy);
    free(part);
    memset(buffer, 0xee, 3);
    bytes("set", buffer, 4);
    printf("%p %s\n", memrchr("xx", 'y', 2), (char *)memmem("haystack", 8, "st", 2));
    return 0;
}
