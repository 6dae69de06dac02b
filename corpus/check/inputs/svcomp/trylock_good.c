// selvedge: check --no-races
// expect: verified
//
// Who does not get the lock does nothing.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *first(void *unused) {
    int n = __VERIFIER_nondet_int();
    if (n > 0 && pthread_mutex_trylock(&m) == 0) {
        count++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *second(void *unused) {
    if (pthread_mutex_trylock(&m) == 0) {
        count++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count > 2)
        reach_error();
    return 0;
}
