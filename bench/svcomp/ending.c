// Whether every execution ends. CASE: 0 a thread waits for a flag, 1 a count down from an input, 2 two locks, 3 two threads that
// give way to each other, 4 a lock that is taken again and again until an input says so, 5 a thread waits for a count.
// BAD: the flag is taken back, the count goes the other way, the locks are taken in two orders.
#include "task.h"
#include <stdatomic.h>
atomic_int flag, other, count;
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *u) {
#if CASE == 0
    while (!flag) {}
#elif CASE == 1
    int n = between(0, 5);
    while (n != 0) n -= BAD && n == 3 ? 0 : 1;
#elif CASE == 2
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
#elif CASE == 3
    flag = 1;
    if (BAD) while (other) {}
    flag = 0;
#elif CASE == 4
    for (int i = 0; i < 3; i++) { pthread_mutex_lock(&one); pthread_mutex_unlock(&one); if (__VERIFIER_nondet_bool()) break; }
    while (BAD && count == 0) {}
#else
    while (count < 2) {}
#endif
    return u;
}
static void *helper(void *u) {
#if CASE == 0
    flag = 1;
    if (BAD) flag = 0;
#elif CASE == 2
    pthread_mutex_lock(BAD ? &two : &one);
    pthread_mutex_lock(BAD ? &one : &two);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
#elif CASE == 3
    other = 1;
    if (BAD) while (flag) {}
    other = 0;
#elif CASE == 5
    count++;
    if (!BAD) count++;
#endif
    return u;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, helper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
