// selvedge: check --no-races
// expect: violation assertion
//
// An account is looked at under a lock and emptied under another section of it.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *first(void *unused) {
    int want = __VERIFIER_nondet_int();
    int enough;
    pthread_mutex_lock(&m);
    enough = 0 < want && want <= balance;
    pthread_mutex_unlock(&m);
    if (enough) {
        pthread_mutex_lock(&m);
        balance -= want;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&m);
    if (balance >= 10)
        balance -= 10;
    pthread_mutex_unlock(&m);
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (balance < 0)
        reach_error();
    return 0;
}
