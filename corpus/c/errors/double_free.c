// selvedge: run
// expect: violation memory line 14
//
// Two owners of one block both free it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct document {
    char *title;
};

static void close_document(struct document *document) {
    free(document->title); // fault: the second document shares the title of the first
}

int main(void) {
    struct document first = {strdup("notes")}, second;
    second = first;
    printf("%s %s\n", first.title, second.title);
    close_document(&first);
    close_document(&second);
    return 0;
}
