// selvedge: check --no-races
// expect: verified
//
// An account that is never overdrawn: everybody looks and takes under one lock.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance, taken;

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    int want = __VERIFIER_nondet_int();
    if (0 < want && want <= balance) {
        balance -= want;
        taken += want;
    }
    pthread_mutex_unlock(&m);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&m);
    int give = __VERIFIER_nondet_int();
    if (0 < give && give < 100)
        balance += give;
    pthread_mutex_unlock(&m);
    return unused;
}


int main(void) {
    balance = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= balance && balance < 1000);
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (balance < 0)
        reach_error();
    return 0;
}
