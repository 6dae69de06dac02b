// Signed integers. CASE: 0 a counter from an input, 1 a sum of two inputs, 2 a product, 3 a negation, 4 a shift, 5 a mean,
// 6 a count that others reset. BAD: the inputs have no bounds, or others come between.
#include "task.h"
#include <limits.h>
int counter, a, b, result;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
#if CASE == 0
    counter++;
#elif CASE == 1
    result = a + b;
#elif CASE == 2
    result = a * b;
#elif CASE == 3
    result = -a;
#elif CASE == 4
    result = 1 << a;
#elif CASE == 5
    result = BAD ? (a + b) / 2 : a / 2 + b / 2;
#else
    if (argument) counter = 0;
    else counter = counter * 1000 + 7;
#endif
    pthread_mutex_unlock(&mutex);
    return argument;
}
int main(void) {
    pthread_t s, t;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
#if CASE == 0
    counter = a;
    if (!BAD) assume(a < INT_MAX - 1);
#elif CASE == 1
    if (!BAD) assume(-1000 <= a && a <= 1000);
    assume(-1000 <= b && b <= 1000);
#elif CASE == 2
    assume(-4 <= a && a <= 4);
    if (!BAD) assume(-100 <= b && b <= 100);
#elif CASE == 3
    if (!BAD) assume(a != INT_MIN);
#elif CASE == 4
    assume(0 <= a && a <= (BAD ? 31 : 30));
#elif CASE == 6
    counter = BAD ? 2147484 : 2;
#endif
    pthread_create(&s, 0, work, 0);
    pthread_create(&t, 0, work, CASE == 6 ? &result : 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
