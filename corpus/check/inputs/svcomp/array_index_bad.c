// selvedge: check --no-races
// expect: violation memory
//
// An index from outside, checked too late.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int table[4] = {1, 2, 3, 4};
static int limit = 4;

static void *first(void *unused) {
    int i = __VERIFIER_nondet_int();
    if (0 <= i && i < limit && i < 6)
        table[i] = 0;
    return unused;
}

static void *second(void *unused) {
    limit = 5;
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
