/* Taking strings apart. The position of strtok is one for the whole process, as everywhere. */
#include <string.h>

char *strtok_r(char *text, const char *delimiters, char **rest) {
    if (!text)
        text = *rest;
    if (!text)
        return NULL;
    text += strspn(text, delimiters);
    if (!*text) {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, delimiters);
    if (*end)
        *end++ = 0;
    *rest = end;
    return text;
}

char *__strtok_r(char *text, const char *delimiters, char **rest) { return strtok_r(text, delimiters, rest); }

char *strtok(char *text, const char *delimiters) {
    static char *rest;
    return strtok_r(text, delimiters, &rest);
}

char *strsep(char **text, const char *delimiters) {
    char *start = *text;
    if (!start)
        return NULL;
    char *end = start + strcspn(start, delimiters);
    if (*end) {
        *end = 0;
        *text = end + 1;
    } else {
        *text = NULL;
    }
    return start;
}
