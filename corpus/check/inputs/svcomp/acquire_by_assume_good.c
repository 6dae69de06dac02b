// selvedge: check --no-races
// expect: verified
//
// A lock that is taken by an assumption within an atomic function.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int lock, inside;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}

static void __VERIFIER_atomic_release(void) { lock = 0; }

static void *first(void *unused) {
    __VERIFIER_atomic_acquire();
    inside = __VERIFIER_nondet_int();
    int mine = inside;
    if (mine != inside)
        reach_error();
    __VERIFIER_atomic_release();
    return unused;
}

static void *second(void *unused) {
    __VERIFIER_atomic_acquire();
    inside = 7;
    __VERIFIER_atomic_release();
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
