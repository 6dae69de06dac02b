// selvedge: run
// expect: exit 0
// native: same
//
// qsort and bsearch over integers, strings and structures; the comparison function calls back into the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[12];
    int age;
};

static int comparisons;

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    comparisons++;
    return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_age(const void *a, const void *b) {
    const struct person *x = a, *y = b;
    return x->age != y->age ? x->age - y->age : strcmp(x->name, y->name);
}

int main(void) {
    int numbers[100];
    unsigned state = 12345;
    for (int i = 0; i < 100; i++) {
        state = state * 1103515245 + 12345;
        numbers[i] = (int)(state >> 16) % 1000;
    }
    qsort(numbers, 100, sizeof numbers[0], by_value);
    int ordered = 1;
    for (int i = 1; i < 100; i++)
        ordered &= numbers[i - 1] <= numbers[i];
    printf("ordered %d, compared %d, ends %d %d\n", ordered, comparisons > 99, numbers[0], numbers[99]);
    int key = numbers[37], missing = -5;
    int *found = bsearch(&key, numbers, 100, sizeof key, by_value);
    printf("found %d, missing %d\n", *found == key, bsearch(&missing, numbers, 100, sizeof key, by_value) == NULL);

    const char *words[] = {"pear", "fig", "apple", "quince", "cherry"};
    qsort(words, 5, sizeof words[0], by_text);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    struct person people[] = {{"Ada", 36}, {"Bob", 20}, {"Cyd", 36}, {"Dee", 5}};
    qsort(people, 4, sizeof people[0], by_age);
    for (int i = 0; i < 4; i++)
        printf("%s:%d ", people[i].name, people[i].age);
    printf("\n");
    qsort(numbers, 0, sizeof numbers[0], by_value);
    return 0;
}
