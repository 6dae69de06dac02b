// selvedge: run
// expect: exit 0
// stdout: 5000050000
// stdout: accepted 3
// native: same
//
// Guaranteed tail calls: a hundred thousand of them do not use up the stack.
#include <stdio.h>

static long sum(long n, long so_far) {
    if (n == 0)
        return so_far;
    __attribute__((musttail)) return sum(n - 1, so_far + n);
}

typedef int state(const char *text, int count);
static state even, odd;

/* Accepts texts in which every 'a' has its 'b'. */
static int even(const char *text, int count) {
    if (!*text)
        return count;
    if (*text == 'a')
        __attribute__((musttail)) return odd(text + 1, count);
    return -1;
}

static int odd(const char *text, int count) {
    if (*text == 'b')
        __attribute__((musttail)) return even(text + 1, count + 1);
    return -1;
}

int main(void) {
    printf("%ld\n", sum(100000, 0));
    printf("accepted %d\n", even("ababab", 0) + even("aba", 0) - even("b", 0));
    return 0;
}
