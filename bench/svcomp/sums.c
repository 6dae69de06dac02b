// Threads that compute with inputs: in whatever order, the sums agree. CASE: 0 add and take away the same value, 1 two ways to
// sum a table, 2 counting up while others count down, 3 max by two threads, 4 a product by additions, 5 a value moves through
// a chain. LIMIT: inputs are at most that. BAD: off by one.
#include "task.h"
int a, b, n, table[4], left, right, other, slot[2], full[2];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED(statements) do { pthread_mutex_lock(&mutex); statements; pthread_mutex_unlock(&mutex); } while (0)
static void *first(void *u) {
#if CASE == 0
    LOCKED(left += a);
#elif CASE == 1
    for (int i = 0; i < n; i++) left += table[i];
#elif CASE == 2
    for (int i = 0; i < n; i++) LOCKED(left++);
#elif CASE == 3
    LOCKED(if (a > left) left = a);
#elif CASE == 4
    for (int i = 0; i < a; i++) left += b;
#else
    LOCKED(slot[0] = a + 1; full[0] = 1);
#endif
    return u;
}
static void *second(void *u) {
#if CASE == 0
    LOCKED(left -= BAD ? a + (a == LIMIT / 2) : a);
#elif CASE == 1
    for (int i = n - 1; i >= BAD; i--) right += table[i];
#elif CASE == 2
    for (int i = 0; i < n + (BAD && n == LIMIT); i++) LOCKED(left--);
#elif CASE == 3
    LOCKED(if (BAD ? b >= left - 1 : b > left) left = b);
#elif CASE == 4
    for (int i = 0; i < b; i++) right += a + (BAD && i == 1);
#else
    int there;
    LOCKED(there = full[0]);
    assume(there);
    LOCKED(slot[1] = slot[0] + (BAD && slot[0] == LIMIT ? 2 : 1));
#endif
    return u;
}
int main(void) {
    pthread_t s, t;
    a = between(0, LIMIT);
    b = between(0, LIMIT);
    n = between(0, LIMIT < 4 ? LIMIT : 4);
#if CASE == 1
    for (int i = 0; i < n; i++) table[i] = between(0, LIMIT);
#endif
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
#if CASE == 0 || CASE == 2
    demand(left == 0);
#elif CASE == 1 || CASE == 4
    demand(left == right);
#elif CASE == 3
    demand(left >= a && left >= b);
#else
    demand(slot[1] == a + 2);
#endif
    return 0;
}
