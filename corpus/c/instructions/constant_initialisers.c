// selvedge: run
// expect: exit 0
// native: same
//
// Globals whose initial values are expressions over addresses: offsets, fields, functions, casts, cycles.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct node {
    int value;
    struct node *next;
    int *inside;
};

static int numbers[] = {1, 2, 3, 4, 5, 6};
static int *middle = &numbers[3], *end = numbers + 6;
static int *const inner[] = {numbers + 1, &numbers[5], &*numbers};
static const char *tail = &"prefix:tail"[7];
static const char *const names[] = {[2] = "two", [0] = "zero", [1] = &"xone"[1]};
extern struct node second;
static struct node first = {1, &second, &first.value};
struct node second = {2, &first, &first.value};
static struct { char c; struct { short s[3]; } in; } deep = {'d', {{1, 2, 3}}};
static short *deep_pointer = &deep.in.s[2];
static uintptr_t as_integer = (uintptr_t)&numbers[2];
static void *erased = (char *)numbers + sizeof(int);
static int (*print)(const char *, ...) = printf;
static const size_t offset = offsetof(struct node, inside);
static double table[2][3] = {{1.5, 2.5}, {-0.0, 1e10, 3}};
static double (*row)[3] = &table[1];
static union { int whole; char bytes[4]; } overlay = {.bytes = {1, 2, 3, 4}};
static const int folded = sizeof numbers / sizeof *numbers * 7 - (3 << 2) % 5;
static long difference = (char *)&numbers[4] - (char *)&numbers[1];

int main(void) {
    print("%d %td %d %d %d\n", *middle, end - middle, *inner[0], *inner[1], *inner[2]);
    print("%s %s %s %s\n", tail, names[0], names[1], names[2]);
    print("%d %d %d\n", first.next->next->next->value, *second.inside, *first.inside);
    print("%d %d %d\n", *deep_pointer, *(int *)as_integer, *(int *)erased);
    print("%zu %g %g %x %d %ld\n", offset, (*row)[1], table[0][2], overlay.whole, folded, difference);
    static int *counter = &numbers[0];
    ++*counter++;
    print("%d %d\n", numbers[0], *counter);
    return 0;
}
