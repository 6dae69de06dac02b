// selvedge: run
// expect: exit 0
// native: same
//
// Streams over memory: fmemopen to read and to write, open_memstream that grows.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char input[] = "10 20 thirty\nsecond line\n";
    FILE *in = fmemopen(input, strlen(input), "r");
    int a, b;
    char word[16], line[32];
    printf("%d", fscanf(in, "%d %d %15s", &a, &b, word));
    printf(" %d %d %s\n", a, b, word);
    printf("%d %ld\n", fgetc(in), ftell(in));
    printf("%s", fgets(line, sizeof line, in));
    printf("%d %d\n", fgets(line, sizeof line, in) == NULL, feof(in) != 0);
    rewind(in);
    printf("%d %c\n", feof(in) != 0, fgetc(in));
    fclose(in);

    char output[16];
    FILE *out = fmemopen(output, sizeof output, "w");
    fprintf(out, "%d/%d", 3, 4);
    fclose(out);
    printf("[%s]\n", output);

    char *grown = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&grown, &size);
    for (int i = 0; i < 50; i++)
        fprintf(stream, "%d,", i * i);
    fflush(stream);
    printf("%zu %.20s\n", size, grown);
    fputs("end", stream);
    fclose(stream);
    printf("%zu %s\n", size, grown + size - 8);
    free(grown);
    return 0;
}
