/* The two halves of a path: POSIX's basename (__xpg_basename), GNU's (basename), dirname. */
#include <string.h>

char *__xpg_basename(char *path) {
    if (!path || !*path)
        return ".";
    char *end = path + strlen(path) - 1;
    while (end > path && *end == '/')
        *end-- = 0;
    while (end > path && end[-1] != '/')
        end--;
    return end;
}

char *basename(const char *path) {
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : (char *)path;
}

char *dirname(char *path) {
    if (!path || !*path)
        return ".";
    char *end = path + strlen(path) - 1;
    while (end > path && *end == '/')
        end--;
    while (end > path && *end != '/')
        end--;
    while (end > path && *end == '/')
        end--;
    if (end == path && *path != '/')
        return ".";
    end[1] = 0;
    return path;
}
