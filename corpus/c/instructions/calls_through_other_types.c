// selvedge: run
// expect: exit 0
// native: same
// cflags: -std=gnu89 -w
//
// Functions without prototypes, and pointers to functions that are converted: what is passed is cut to what the function
// takes, pointers and integers are passed alike, and of a result that is not wanted nothing is left.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int add();
long sum();
double half();

int add(a, b) int a; int b; { return a + b; }
long sum(a, b, c) long a; char b; short c; { return a + b + c; }
double half(f, g) float f; double g; { return f / 2 + g; }

static void *given_int(int number) {
    printf("int %d\n", number);
    return (void *)(intptr_t)(number * 2);
}

static void *given_long(long number) {
    printf("long %ld\n", number);
    return (void *)(number * 2);
}

static int returns_int(void *pointer) { return (int)(intptr_t)pointer - 7; }
static long two_longs(long a, long b) { return a * 100 + b; }
static int takes_char(char c) { return c; }
static unsigned takes_byte(unsigned char c) { return c; }
static int order(char **a, char **b) { return strcmp(*a, *b); }

int main(void) {
    printf("%d %ld %g\n", add(3, 4), sum(5L, 'a', 6), half(3.0, 1.5));
    void *(*starts[])(void *) = {
        (void *(*)(void *))given_int,
        (void *(*)(void *))given_long,
        (void *(*)(void *))returns_int,
    };
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, 0, starts[i], (void *)0x300000005);
        pthread_join(thread, &result);
        printf("%d\n", (int)(intptr_t)result);
    }
    printf("%ld\n", ((long (*)(void *, void *))two_longs)((void *)3, (void *)4));
    int (*wide)(int) = (int (*)(int))takes_char;
    unsigned (*wider)(long) = (unsigned (*)(long))takes_byte;
    printf("%d %d %u %u\n", wide(300), wide(-1), wider(300), wider(-1));
    char *words[] = {"pear", "apple", "fig"};
    qsort(words, 3, sizeof *words, (int (*)(const void *, const void *))order);
    printf("%s %s %s\n", words[0], words[1], words[2]);
    void (*ignored)(void *) = (void (*)(void *))returns_int;
    ignored(0);
    return 0;
}
