// selvedge: run
// expect: violation memory line 26
//
// A write through a null pointer, to a field that is not at offset zero.
#include <stdio.h>
#include <string.h>

struct entry {
    const char *key;
    int value;
};

static struct entry table[] = {{"one", 1}, {"two", 2}};

static struct entry *find(const char *key) {
    for (int i = 0; i < 2; i++)
        if (strcmp(table[i].key, key) == 0)
            return &table[i];
    return NULL;
}

int main(void) {
    const char *keys[] = {"two", "three"};
    for (int i = 0; i < 2; i++) {
        printf("setting %s\n", keys[i]);
        find(keys[i])->value = 5; // fault: there is no third entry
    }
    return 0;
}
