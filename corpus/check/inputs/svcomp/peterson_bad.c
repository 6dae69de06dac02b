// selvedge: check --no-races
// expect: violation assertion
//
// Peterson's algorithm without the turn.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int flag[2], inside;

static void *first(void *unused) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(flag[1] == 0);
    flag[0] = 1;
    inside = n;
    if (inside != n)
        reach_error();
    flag[0] = 0;
    return unused;
}

static void *second(void *unused) {
    __VERIFIER_assume(flag[0] == 0);
    flag[1] = 1;
    inside = 1;
    flag[1] = 0;
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
