// selvedge: run
// expect: exit 0
// native: same
//
// Pointers as numbers and back: differences, comparisons, negative indices, tags in the low bits, xor links.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    uintptr_t link; /* previous xor next */
};

static void *tagged(void *pointer, unsigned tag) { return (void *)((uintptr_t)pointer | tag); }
static void *untagged(void *pointer) { return (void *)((uintptr_t)pointer & ~(uintptr_t)7); }

int main(void) {
    int numbers[10];
    for (int *p = numbers; p != numbers + 10; p++)
        *p = (int)(p - numbers) * 11;
    int *middle = &numbers[5];
    printf("%d %d %td %d %d\n", middle[-2], *(middle + 4), &numbers[9] - middle, middle > numbers, 3[numbers]);
    char *bytes = (char *)numbers;
    printf("%d %td\n", *(int *)(bytes + 7 * sizeof(int)), (char *)middle - bytes);

    long *cell = malloc(sizeof *cell);
    *cell = 99;
    void *marked = tagged(cell, 5);
    printf("%lu %ld %d\n", (uintptr_t)marked & 7, *(long *)untagged(marked), marked == (void *)cell);
    uintptr_t shuffled = (uintptr_t)cell * 3;
    *(long *)(shuffled / 3) += 1;
    printf("%ld\n", *cell);
    free(cell);

    struct node nodes[5];
    for (int i = 0; i < 5; i++) {
        uintptr_t before = i > 0 ? (uintptr_t)&nodes[i - 1] : 0, after = i < 4 ? (uintptr_t)&nodes[i + 1] : 0;
        nodes[i] = (struct node){i * i, before ^ after};
    }
    uintptr_t before = 0;
    for (struct node *node = &nodes[4]; node;) {
        printf("%d ", node->value);
        struct node *next = (struct node *)(node->link ^ before);
        before = (uintptr_t)node;
        node = next;
    }
    int matrix[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
    int (*row)[4] = matrix + 1;
    printf("\n%d %d %d\n", row[1][2], *(*row + 3), (*(row - 1))[1]);
    return 0;
}
