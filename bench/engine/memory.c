/* Loads and stores: a sieve and a matrix product over global and heap arrays. */
#include <stdlib.h>

#define LIMIT 400000
#define SIDE 48

static unsigned char composite[LIMIT];
static int a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];

int main(void)
{
    int primes = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i])
            continue;
        primes++;
        for (int j = 2 * i; j < LIMIT; j += i)
            composite[j] = 1;
    }
    int *sums = malloc(LIMIT * sizeof *sums);
    sums[0] = 0;
    for (int i = 1; i < LIMIT; i++)
        sums[i] = sums[i - 1] + !composite[i];
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            for (int k = 0; k < SIDE; k++)
                c[i][j] += a[i][k] * b[k][j];
    int last = sums[LIMIT - 1];
    free(sums);
    return primes == 33860 && last == primes + 1 && c[1][2] == 34496 ? 0 : 1;
}
