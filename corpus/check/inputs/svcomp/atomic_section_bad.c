// selvedge: check --no-races
// expect: violation assertion
//
// The same two numbers, of which a look outside of sections sees one of each time.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int x, y;

static void *first(void *unused) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_atomic_begin();
    x = n;
    y = n;
    __VERIFIER_atomic_end();
    return unused;
}

static void *second(void *unused) {
    int seen = x;
    if (seen != y)
        reach_error();
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
