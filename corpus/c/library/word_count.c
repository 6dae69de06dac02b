// selvedge: run
// expect: exit 0
// stdin: the cat and the dog and the bird
// stdin: A dog, a cat; THE END.
// stdin: -- 42 --
// stdin: bird bird bird
// native: same
//
// A whole small program: counts the words of its input in a hash table and prints them in order.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    int count;
    char word[];
};

static struct entry *buckets[16];
static int distinct;

static void count(const char *word, size_t length) {
    unsigned hash = 5381;
    for (size_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)word[i];
    struct entry **link = &buckets[hash % 16];
    for (; *link; link = &(*link)->next)
        if (strcmp((*link)->word, word) == 0) {
            (*link)->count++;
            return;
        }
    *link = malloc(sizeof **link + length + 1);
    (*link)->next = NULL;
    (*link)->count = 1;
    strcpy((*link)->word, word);
    distinct++;
}

static int order(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->word, y->word);
}

int main(void) {
    char word[64];
    size_t length = 0;
    for (int c; (c = getchar()) != EOF || length > 0;) {
        if (c != EOF && isalpha(c)) {
            word[length++] = (char)tolower(c);
        } else if (length > 0) {
            word[length] = 0;
            count(word, length);
            length = 0;
        }
    }
    struct entry **all = malloc((size_t)distinct * sizeof *all);
    int at = 0;
    for (int i = 0; i < 16; i++)
        for (struct entry *entry = buckets[i]; entry; entry = entry->next)
            all[at++] = entry;
    qsort(all, (size_t)distinct, sizeof *all, order);
    for (int i = 0; i < distinct; i++) {
        printf("%d %s\n", all[i]->count, all[i]->word);
        free(all[i]);
    }
    free(all);
    return 0;
}
