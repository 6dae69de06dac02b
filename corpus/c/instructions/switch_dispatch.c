// selvedge: run
// expect: exit 0
// native: same
//
// switch with dense, sparse, ranged, negative and 64-bit cases, fall-through and a default in the middle.
#include <stdio.h>

static int dense(int x) {
    switch (x) {
    case 0: return 10;
    case 1: return 11;
    case 2: x += 100; /* fall through */
    case 3: x += 1000; /* fall through */
    default: return x;
    case 4: return -4;
    case 5 ... 9: return 59;
    }
}

static const char *sparse(long x) {
    switch (x) {
    case -1: return "minus one";
    case 1000000: return "a million";
    case 0x7fffffffffffffff: return "the largest";
    case (long)0x8000000000000000: return "the smallest";
    }
    return "something else";
}

static int duff(const char *from, int count) {
    int sum = 0, rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { sum += *from++;
    case 3:      sum += *from++;
    case 2:      sum += *from++;
    case 1:      sum += *from++;
            } while (--rounds > 0);
    }
    return sum;
}

static int character(unsigned char c) {
    switch (c) {
    case 'a' ... 'z': return 1;
    case 'A' ... 'Z': return 2;
    case '0' ... '9': return 3;
    case 0xff: return 4;
    }
    return 0;
}

int main(void) {
    for (int i = -1; i < 11; i++)
        printf("%d ", dense(i));
    long samples[] = {-1, 0, 1000000, 0x7fffffffffffffff, -0x7fffffffffffffff - 1};
    for (int i = 0; i < 5; i++)
        printf("\n%s", sparse(samples[i]));
    printf("\n");
    for (int i = 1; i <= 9; i++)
        printf("%d ", duff("\1\2\3\4\5\6\7\10\11", i));
    printf("%d%d%d%d%d\n", character('q'), character('Q'), character('7'), character(255), character('-'));
    return 0;
}
