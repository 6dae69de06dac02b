// selvedge: run
// expect: exit 0
// native: same
// cflags: -O2
//
// What -O2 makes of loops over arrays: vectors, reductions, minima, selects, memory idioms.
#include <stdio.h>
#include <string.h>

enum { SIZE = 103 };

static int a[SIZE], b[SIZE];
static float f[SIZE];
static unsigned char bytes[SIZE], copy[SIZE];

__attribute__((noinline)) static long dot(const int *x, const int *y, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long)x[i] * y[i];
    return sum;
}

__attribute__((noinline)) static int smallest(const int *x, int n) {
    int best = x[0];
    for (int i = 1; i < n; i++)
        best = x[i] < best ? x[i] : best;
    return best;
}

__attribute__((noinline)) static int count_above(const unsigned char *x, int n, int limit) {
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] > limit;
    return count;
}

__attribute__((noinline)) static void scale(float *x, const int *y, int n) {
    for (int i = 0; i < n; i++)
        x[i] = y[i] * 0.5f + 1.0f;
}

__attribute__((noinline)) static void blend(int *x, const int *y, int n) {
    for (int i = 0; i < n; i++)
        x[i] = y[i] & 1 ? x[i] ^ y[i] : -x[i];
}

int main(void) {
    for (int i = 0; i < SIZE; i++) {
        a[i] = i * 7919 % 1000 - 500;
        b[i] = i * 104729 % 777;
        bytes[i] = (unsigned char)(i * 37);
    }
    for (int i = 0; i < SIZE; i++)
        copy[SIZE - 1 - i] = bytes[i];
    scale(f, a, SIZE);
    printf("%ld %d %d\n", dot(a, b, SIZE), smallest(a, SIZE), count_above(bytes, SIZE, 100));
    blend(a, b, SIZE);
    printf("%ld %d %d\n", dot(a, b, SIZE), smallest(a, SIZE), count_above(copy, 50, 200));
    float total = 0;
    for (int i = 0; i < SIZE; i++)
        total += f[i];
    printf("%g %d\n", total, memcmp(bytes, copy, SIZE) != 0);
    return 0;
}
