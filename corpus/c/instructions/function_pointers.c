// selvedge: run
// expect: exit 0
// native: same
//
// Calls through pointers: tables, callbacks with a context, functions that return functions, comparison.
#include <stdio.h>

typedef int binary(int, int);
typedef binary *chooser(char);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static binary *choose(char symbol) {
    switch (symbol) {
    case '+': return add;
    case '-': return &subtract;
    case '*': return multiply;
    }
    return NULL;
}

struct visitor {
    void (*visit)(void *context, int value);
    void *context;
};

static void each(const int *values, int count, struct visitor visitor) {
    for (int i = 0; i < count; i++)
        visitor.visit(visitor.context, values[i]);
}

static void accumulate(void *context, int value) { *(long *)context += value; }
static void largest(void *context, int value) {
    int *best = context;
    if (value > *best)
        *best = value;
}

int main(void) {
    static chooser *const choosers[] = {choose, choose};
    for (const char *symbol = "+-*/"; *symbol; symbol++) {
        binary *function = choosers[*symbol & 1](*symbol);
        if (function)
            printf("7 %c 3 = %d\n", *symbol, function(7, 3));
        else
            printf("no %c\n", *symbol);
    }
    int values[] = {3, -1, 4, 1, -5, 9, 2, 6}, best = values[0];
    long sum = 0;
    each(values, 8, (struct visitor){accumulate, &sum});
    each(values, 8, (struct visitor){largest, &best});
    printf("%ld %d %d %d\n", sum, best, choose('+') == add, choose('-') == add);
    void *erased = (void *)multiply;
    printf("%d\n", ((binary *)erased)(6, 7));
    return 0;
}
