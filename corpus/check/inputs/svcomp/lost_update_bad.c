// selvedge: check --no-races
// expect: violation assertion
//
// Two threads add what inputs say, without a lock.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static unsigned sum;

static void *first(void *unused) {
    unsigned old = sum;
    sum = old + 3;
    return unused;
}

static void *second(void *unused) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 10);
    unsigned old = sum;
    sum = old + n;
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (sum < 3)
        reach_error();
    return 0;
}
