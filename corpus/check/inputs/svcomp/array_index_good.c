// selvedge: check --no-races
// expect: verified
//
// An index from outside, checked.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int table[4] = {1, 2, 3, 4};
static int seen;

static void *first(void *unused) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 4)
        seen = table[i];
    return unused;
}

static void *second(void *unused) {
    table[0] = 1;
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (seen < 0 || seen > 4)
        reach_error();
    return 0;
}
