// selvedge: check --no-races
// expect: verified
//
// A divisor that is never zero.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static unsigned divisor = 1, quotient;

static void *first(void *unused) {
    unsigned n = __VERIFIER_nondet_uint();
    quotient = n / divisor;
    return unused;
}

static void *second(void *unused) {
    unsigned n = __VERIFIER_nondet_uint();
    divisor = n | 1;
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
