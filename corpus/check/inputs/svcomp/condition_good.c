// selvedge: check --no-races
// expect: verified
//
// A consumer waits until there is something, whatever it is.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, value;

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    value = __VERIFIER_nondet_int();
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&filled, &m);
    full = 0;
    pthread_mutex_unlock(&m);
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (full)
        reach_error();
    return 0;
}
