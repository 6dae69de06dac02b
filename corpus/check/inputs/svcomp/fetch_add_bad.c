// selvedge: check --no-races
// expect: violation assertion
//
// An atomic load and an atomic store are no atomic addition.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

#include <stdatomic.h>

static atomic_uint sum;

static void *first(void *unused) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 2);
    unsigned old = atomic_load(&sum);
    atomic_store(&sum, old + n);
    return unused;
}

static void *second(void *unused) {
    atomic_fetch_add(&sum, 5u);
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (sum < 5)
        reach_error();
    return 0;
}
