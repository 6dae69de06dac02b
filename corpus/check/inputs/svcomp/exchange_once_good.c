// selvedge: check --no-races
// expect: verified
//
// Two threads want the same slot; a compare-exchange gives it to one.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

#include <stdatomic.h>

static atomic_int owner;
static int winners[2];

static void *first(void *unused) {
    int id = __VERIFIER_nondet_int();
    __VERIFIER_assume(id > 0);
    int none = 0;
    winners[0] = atomic_compare_exchange_strong(&owner, &none, id);
    return unused;
}

static void *second(void *unused) {
    int none = 0;
    winners[1] = atomic_compare_exchange_strong(&owner, &none, 1);
    return unused;
}


int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (winners[0] + winners[1] != 1)
        reach_error();
    return 0;
}
