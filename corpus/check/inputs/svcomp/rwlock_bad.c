// selvedge: check --no-races
// expect: violation assertion
//
// Something is written under a lock for reading.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *first(void *unused) {
    pthread_rwlock_rdlock(&lock);
    x = __VERIFIER_nondet_int();
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *second(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = x;
    if (seen != x)
        reach_error();
    pthread_rwlock_unlock(&lock);
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
