// selvedge: run
// expect: exit 0
// native: same
//
// Structures that end in an array of unknown length, allocated with room for it and grown.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length, room;
    char bytes[];
};

struct matrix {
    unsigned char rows, columns;
    double cells[];
};

static struct text *append(struct text *text, const char *more) {
    size_t extra = strlen(more), old = text ? text->length : 0;
    if (!text || old + extra + 1 > text->room) {
        size_t room = 2 * (old + extra + 1);
        text = realloc(text, sizeof *text + room);
        text->room = room;
    }
    memcpy(text->bytes + old, more, extra + 1);
    text->length = old + extra;
    return text;
}

static struct matrix *identity(unsigned char size) {
    struct matrix *matrix = malloc(offsetof(struct matrix, cells) + size * size * sizeof(double));
    matrix->rows = matrix->columns = size;
    for (int i = 0; i < size * size; i++)
        matrix->cells[i] = i % (size + 1) == 0;
    return matrix;
}

static struct { int count; short items[]; } fixed = {3, {7, 8, 9}};

int main(void) {
    struct text *text = NULL;
    const char *words[] = {"one", " and", " another", " and", " the", " last"};
    for (int i = 0; i < 6; i++)
        text = append(text, words[i]);
    printf("%s (%zu of %zu)\n", text->bytes, text->length, text->room);
    struct matrix *matrix = identity(3);
    for (int i = 0; i < 9; i++)
        printf("%g%c", matrix->cells[i], i % 3 == 2 ? '\n' : ' ');
    printf("%zu %d\n", offsetof(struct matrix, cells), fixed.items[fixed.count - 1]);
    free(matrix);
    free(text);
    return 0;
}
