// selvedge: run
// expect: exit 0
// native: same
//
// The string variants of printf: truncation, the length that would have been written, asprintf, dprintf.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *pattern, ...) {
    va_list list, again;
    va_start(list, pattern);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, pattern, list);
    va_end(list);
    char *text = malloc((size_t)length + 1);
    vsprintf(text, pattern, again);
    va_end(again);
    return text;
}

int main(void) {
    char buffer[8];
    memset(buffer, 'x', sizeof buffer);
    int length = snprintf(buffer, sizeof buffer, "%s", "a rather long text");
    printf("%d [%s]\n", length, buffer);
    length = snprintf(buffer, 1, "%d", 12345);
    printf("%d [%s]\n", length, buffer);
    length = snprintf(buffer, 4, "%d", 123);
    printf("%d [%s] %d\n", length, buffer, buffer[4]);
    length = snprintf(NULL, 0, "%f", 1e10);
    printf("%d\n", length);
    char *text = format("%s has %d items, %.1f%%", "list", 3, 99.5);
    printf("[%s] %zu\n", text, strlen(text));
    free(text);
    char *allocated = NULL;
    length = asprintf(&allocated, "%08lx|%c", 0xdeadbeefl, '!');
    printf("%d [%s]\n", length, allocated);
    free(allocated);
    fflush(stdout);
    dprintf(1, "directly %d\n", 7);
    fprintf(stderr, "to standard error\n");
    return 0;
}
