// Tables of inputs, worked at in halves. CASE: 0 the greatest, 1 how many are positive, 2 sorted by two threads and merged,
// 3 found or not, 4 an index from an input. N: elements. BAD: wrong at an edge.
#include "task.h"
char table[N];
int best[2], count[2], found[2], wanted;
static void *half(void *second) {
    int which = second != 0, from = which ? N / 2 : 0, to = which ? N : N / 2;
#if CASE == 0
    best[which] = table[from];
    for (int i = from + 1; i < to - (BAD && which); i++) if (table[i] > best[which]) best[which] = table[i];
#elif CASE == 1
    for (int i = from; i < to; i++) if (table[i] > (BAD && which ? -1 : 0)) count[which]++;
#elif CASE == 2
    for (int i = from; i < to; i++)
        for (int k = from; k + 1 < to - BAD; k++)
            if (table[k] > table[k + 1]) { char keep = table[k]; table[k] = table[k + 1]; table[k + 1] = keep; }
#elif CASE == 3
    for (int i = from; i < to - BAD; i++) if (table[i] == wanted) found[which] = 1;
#else
    int at = between(from, BAD && !which ? to : to - 1);
    table[at] = 1;
#endif
    return 0;
}
int main(void) {
    pthread_t a, b;
    for (int i = 0; i < N; i++) table[i] = CASE == 4 ? 0 : __VERIFIER_nondet_char();
    wanted = __VERIFIER_nondet_char();
    int there = 0, all = 0, positive = 0;
    for (int i = 0; i < N; i++) {
        if (CASE == 3 && table[i] == wanted) there = 1;
        if (CASE == 0 && table[i] > table[all]) all = i;
        if (CASE == 1 && table[i] > 0) positive++;
    }
    char greatest = table[all];
    pthread_create(&a, 0, half, 0);
    pthread_create(&b, 0, half, &wanted);
    pthread_join(a, 0);
    pthread_join(b, 0);
#if CASE == 0
    demand((best[0] > best[1] ? best[0] : best[1]) == greatest);
#elif CASE == 1
    demand(count[0] + count[1] == positive);
#elif CASE == 2
    for (int i = 0; i + 1 < N / 2; i++) demand(table[i] <= table[i + 1]);
    for (int i = N / 2; i + 1 < N; i++) demand(table[i] <= table[i + 1]);
#elif CASE == 3
    demand(there == (found[0] || found[1]));
#else
    int set = 0;
    for (int i = 0; i < N; i++) set += table[i];
    demand(set == 2);
#endif
    return 0;
}
