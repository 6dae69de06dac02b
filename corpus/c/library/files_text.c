// selvedge: run
// expect: exit 0
// native: same
//
// A text file is written, read back line by line, appended to, renamed and removed.
#include <stdio.h>
#include <string.h>

static const char *const name = "corpus-files-text.tmp", *const renamed = "corpus-files-text-2.tmp";

static void show(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("no such file\n");
        return;
    }
    char line[64];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = 0;
        printf("%d: %s\n", number, line);
    }
    printf("%d %d\n", feof(file) != 0, ferror(file));
    fclose(file);
}

int main(void) {
    FILE *file = fopen(name, "w");
    if (!file)
        return 1;
    fprintf(file, "%s %d\n", "first", 1);
    fputs("second\n", file);
    fputc('3', file);
    putc('\n', file);
    fclose(file);
    show(name);

    file = fopen(name, "a");
    fprintf(file, "%-8s|\n", "appended");
    fclose(file);
    printf("renamed %d\n", rename(name, renamed));
    show(name);
    show(renamed);

    file = fopen(renamed, "r+");
    char word[16];
    int number;
    printf("%d", fscanf(file, "%15s %d", word, &number));
    printf(" %s %d\n", word, number);
    fseek(file, 0, SEEK_SET);
    fputs("FIRST", file);
    fclose(file);
    show(renamed);
    printf("removed %d %d\n", remove(renamed), fopen(renamed, "r") == NULL);
    return 0;
}
