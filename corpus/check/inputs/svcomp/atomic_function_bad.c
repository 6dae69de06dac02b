// selvedge: check --no-races
// expect: violation assertion
//
// The same without the name.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int count;

static void add(int n) {
    int old = count;
    count = old + n;
}

static void *first(void *unused) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 < n && n < 5);
    add(n);
    return unused;
}

static void *second(void *unused) {
    add(1);
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count < 2)
        reach_error();
    return 0;
}
