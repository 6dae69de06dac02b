/* Sorting: a merge sort that compares in the same order as the GNU C library up to 2.36, so that programs whose
 * comparison is not a total order see the same result. */
#include <stdlib.h>
#include <string.h>

typedef int compare(const void *, const void *, void *);

struct sort {
    size_t size;
    compare *compare;
    void *argument;
    char *scratch;
};

static void merge_sort(const struct sort *sort, char *base, size_t count) {
    if (count <= 1)
        return;
    size_t size = sort->size, left_count = count / 2, right_count = count - left_count;
    char *left = base, *right = base + left_count * size, *to = sort->scratch;
    merge_sort(sort, left, left_count);
    merge_sort(sort, right, right_count);
    while (left_count > 0 && right_count > 0) {
        if (sort->compare(left, right, sort->argument) <= 0) {
            memcpy(to, left, size);
            left += size;
            left_count--;
        } else {
            memcpy(to, right, size);
            right += size;
            right_count--;
        }
        to += size;
    }
    if (left_count > 0)
        memcpy(to, left, left_count * size);
    memcpy(base, sort->scratch, (count - right_count) * size);
}

/* Large elements are not moved while they are compared: pointers to them are sorted. */
static void merge_sort_pointers(const struct sort *sort, char **scratch, char **base, size_t count) {
    if (count <= 1)
        return;
    size_t left_count = count / 2, right_count = count - left_count;
    char **left = base, **right = base + left_count, **to = scratch;
    merge_sort_pointers(sort, scratch, left, left_count);
    merge_sort_pointers(sort, scratch, right, right_count);
    while (left_count > 0 && right_count > 0) {
        if (sort->compare(*left, *right, sort->argument) <= 0) {
            *to++ = *left++;
            left_count--;
        } else {
            *to++ = *right++;
            right_count--;
        }
    }
    for (size_t i = 0; i < left_count; i++)
        to[i] = left[i];
    for (size_t i = 0; i < count - right_count; i++)
        base[i] = scratch[i];
}

void qsort_r(void *base, size_t count, size_t size, compare *compare, void *argument) {
    struct sort sort = {size, compare, argument, NULL};
    if (count <= 1 || size == 0)
        return;
    sort.scratch = malloc(count * size);
    if (!sort.scratch)
        abort();
    if (size <= 32) {
        merge_sort(&sort, base, count);
    } else {
        char **pointers = malloc(2 * count * sizeof *pointers);
        if (!pointers)
            abort();
        for (size_t i = 0; i < count; i++)
            pointers[i] = (char *)base + i * size;
        merge_sort_pointers(&sort, pointers + count, pointers, count);
        for (size_t i = 0; i < count; i++)
            memcpy(sort.scratch + i * size, pointers[i], size);
        memcpy(base, sort.scratch, count * size);
        free(pointers);
    }
    free(sort.scratch);
}

static int without_argument(const void *left, const void *right, void *argument) {
    return (*(int (**)(const void *, const void *))argument)(left, right);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    qsort_r(base, count, size, without_argument, &compare);
}
