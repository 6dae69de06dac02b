/* The hash table of <search.h>: open addressing, as large as the program asked for. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* What the program's `struct hsearch_data` points to. */
struct _ENTRY {
    int used;
    ENTRY entry;
};

int hcreate_r(size_t count, struct hsearch_data *table) {
    if (!table) {
        errno = EINVAL;
        return 0;
    }
    if (table->table)
        return 0;
    table->size = count + count / 4 + 3;
    table->filled = 0;
    table->table = calloc(table->size, sizeof *table->table);
    return table->table != NULL;
}

void hdestroy_r(struct hsearch_data *table) {
    free(table->table);
    table->table = NULL;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **result, struct hsearch_data *table) {
    unsigned hash = 0;
    for (const char *key = item.key; *key; key++)
        hash = hash * 31 + (unsigned char)*key;
    for (unsigned i = 0; i < table->size; i++) {
        struct _ENTRY *place = &table->table[(hash + i) % table->size];
        if (place->used && strcmp(place->entry.key, item.key))
            continue;
        if (!place->used && action == FIND)
            break;
        if (!place->used) {
            place->used = 1;
            place->entry = item;
            table->filled++;
        }
        *result = &place->entry;
        return 1;
    }
    errno = action == FIND ? ESRCH : ENOMEM;
    *result = NULL;
    return 0;
}

static struct hsearch_data table;

int hcreate(size_t count) { return hcreate_r(count, &table); }

void hdestroy(void) { hdestroy_r(&table); }

ENTRY *hsearch(ENTRY item, ACTION action) {
    ENTRY *result;
    hsearch_r(item, action, &result, &table);
    return result;
}
