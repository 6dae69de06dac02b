// selvedge: run
// expect: exit 0
// native: same
//
// The searching and comparing half of string.h.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

/* The offset of a found pointer, or -1. */
static long at(const char *base, const char *found) { return found ? found - base : -1; }

int main(void) {
    const char *text = "the quick brown fox jumps over the lazy dog";
    printf("%zu %zu %zu\n", strlen(text), strnlen(text, 9), strnlen("ab", 9));
    printf("%ld %ld %ld\n", at(text, strchr(text, 'q')), at(text, strrchr(text, 't')), at(text, strchr(text, 'X')));
    printf("%ld %ld %ld\n", at(text, strchr(text, 0)), at(text, strstr(text, "the l")), at(text, strstr(text, "")));
    printf("%ld %ld\n", at(text, strstr(text, "cat")), at(text, strpbrk(text, "xyz")));
    printf("%zu %zu\n", strspn(text, "eht "), strcspn(text, "bq"));
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abc", "abc")), sign(strcmp("abcd", "abc")));
    printf("%d %d\n", sign(strncmp("abcx", "abcy", 3)), sign(strncmp("b", "abcy", 3)));
    printf("%d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("HELP", "hello", 4)));
    printf("%d %d\n", sign(strcmp("\xff", "a")), sign(memcmp("\x80", "\x7f", 1)));
    printf("%ld %ld\n", at(text, memchr(text, 'f', 43)), at(text, memchr(text, 'f', 5)));
    printf("%d\n", sign(strcoll("apple", "banana")));

    char list[] = "one,two;;three";
    char *rest = NULL;
    for (char *part = strtok_r(list, ",;", &rest); part; part = strtok_r(NULL, ",;", &rest))
        printf("[%s]", part);
    char again[] = " a b ";
    for (char *part = strtok(again, " "); part; part = strtok(NULL, " "))
        printf("(%s)", part);
    char fields[] = "x::y", *cursor = fields, *field;
    while ((field = strsep(&cursor, ":")))
        printf("<%s>", field);
    printf("\n");
    return 0;
}
