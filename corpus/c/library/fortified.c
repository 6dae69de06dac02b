// selvedge: run
// expect: exit 0
// native: same
// cflags: -O2 -D_FORTIFY_SOURCE=2
//
// With fortification the headers call the checking variants of the library.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int format(char *out, size_t size, const char *pattern, ...) {
    va_list list;
    va_start(list, pattern);
    int length = vsnprintf(out, size, pattern, list);
    va_end(list);
    return length;
}

int main(int argc, char **argv) {
    (void)argv;
    size_t some = (size_t)argc + 4;
    char buffer[32], other[32];
    memset(buffer, 'x', some);
    buffer[some] = 0;
    printf("%s\n", buffer);
    memcpy(other, buffer, some + 1);
    memmove(other + 1, other, some + 1);
    printf("%s\n", other);
    strcpy(buffer, "copy");
    strcat(buffer, "+cat");
    strncat(buffer, "+more", some - 1);
    printf("%s\n", buffer);
    strncpy(other, buffer, sizeof other);
    printf("%s %d\n", other, other[31]);
    int length = sprintf(buffer, "%d-%s", argc, "text");
    printf("%d %s\n", length, buffer);
    length = snprintf(buffer, some, "%s", "a longer text");
    printf("%d %s\n", length, buffer);
    length = format(buffer, sizeof buffer, "%c%c", 'o', 'k');
    fprintf(stdout, "%d %s\n", length, buffer);
    return 0;
}
