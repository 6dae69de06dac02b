// selvedge: run
// expect: exit 0
// stdin: 12 abc
// stdin: second
// native: same
//
// puts, fputs, putc, fwrite on standard output, buffering modes, several characters pushed back, scanf mismatches.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    puts("puts");
    fputs("fputs\n", stdout);
    putc('c', stdout);
    putchar('\n');
    printf("%zu\n", fwrite("written\n", 1, 8, stdout));
    printf("%d %d\n", fileno(stdin), fileno(stdout));

    int number = 0, missing = 99;
    char word[16];
    printf("%d", scanf("%d", &number));
    printf(" %d\n", number);
    printf("%d", scanf("%d", &missing));
    printf(" %d\n", missing);
    printf("%d", scanf(" %15[abc]", word));
    printf(" %s\n", word);
    int c = fgetc(stdin);
    printf("%d\n", c == '\n');
    c = getchar();
    ungetc(c, stdin);
    printf("%d", scanf("%15s", word));
    printf(" %s\n", word);
    printf("%d %d\n", scanf("%d", &missing) == EOF, feof(stdin) != 0);

    FILE *file = tmpfile();
    setbuf(file, NULL);
    fprintf(file, "%05d|%-4s|", 42, "ab");
    fflush(file);
    rewind(file);
    char text[32] = "";
    fgets(text, sizeof text, file);
    printf("%s %d\n", text, fputc('x', stdin) == EOF);
    fclose(file);
    fprintf(stderr, "%s\n", "standard error is apart");
    return EXIT_SUCCESS;
}
