// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
//
// Threads that create threads: each half of the array is sorted by a child of its own.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    int *values;
    int count, depth;
};

static void *sort(void *argument) {
    struct part *part = argument;
    if (part->count < 2)
        return NULL;
    int half = part->count / 2;
    struct part left = {part->values, half, part->depth - 1};
    struct part right = {part->values + half, part->count - half, part->depth - 1};
    pthread_t child;
    int parallel = part->depth > 0 && pthread_create(&child, NULL, sort, &left) == 0;
    if (!parallel)
        sort(&left);
    sort(&right);
    if (parallel)
        pthread_join(child, NULL);

    int *merged = malloc((size_t)part->count * sizeof *merged), i = 0, j = half;
    for (int k = 0; k < part->count; k++)
        merged[k] = j == part->count || (i < half && part->values[i] <= part->values[j]) ? part->values[i++]
                                                                                       : part->values[j++];
    memcpy(part->values, merged, (size_t)part->count * sizeof *merged);
    free(merged);
    return NULL;
}

int main(void) {
    int values[30];
    unsigned state = 1;
    for (int i = 0; i < 30; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (int)(state >> 24);
    }
    struct part all = {values, 30, 2};
    sort(&all);
    for (int i = 0; i < 30; i++)
        printf("%d%c", values[i], i == 29 ? '\n' : ' ');
    return 0;
}
