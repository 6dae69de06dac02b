// selvedge: run
// expect: exit 0
// native: same
//
// qsort_r, lfind, and the binary tree of search.h with its callbacks.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_distance(const void *a, const void *b, void *context) {
    int centre = *(int *)context, x = abs(*(const int *)a - centre), y = abs(*(const int *)b - centre);
    return x != y ? x - y : *(const int *)a - *(const int *)b;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static int compare_int(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }

static void visit(const void *node, VISIT order, int depth) {
    (void)depth;
    if (order == postorder || order == leaf)
        printf("%s ", *(const char *const *)node);
}

int main(void) {
    int numbers[] = {1, 5, 9, 14, 20, 3, 12}, centre = 10;
    qsort_r(numbers, 7, sizeof *numbers, by_distance, &centre);
    for (int i = 0; i < 7; i++)
        printf("%d ", numbers[i]);
    size_t count = 7;
    int wanted = 14, missing = 15;
    int *found = lfind(&wanted, numbers, &count, sizeof wanted, compare_int);
    printf("%td %d\n", found - numbers, lfind(&missing, numbers, &count, sizeof missing, compare_int) == NULL);

    void *root = NULL;
    char *words[] = {"plum", "apple", "grape", "fig", "quince", "apple"};
    for (int i = 0; i < 6; i++)
        tsearch(words[i], &root, compare);
    twalk(root, visit);
    printf("%d %d\n", tfind("grape", &root, compare) != NULL, tfind("kiwi", &root, compare) != NULL);
    for (int i = 0; i < 5; i++)
        tdelete(words[i], &root, compare);
    printf("%d\n", root == NULL);
    return 0;
}
