// What all tasks share: the words of the verification competition.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);

void reach_error(void) { __builtin_trap(); }
static void assume(int holds) { if (!holds) abort(); }
static void demand(int holds) { if (!holds) reach_error(); }

#define ATOMIC(statements) do { __VERIFIER_atomic_begin(); statements; __VERIFIER_atomic_end(); } while (0)

static int between(int least, int most) {
    int value = __VERIFIER_nondet_int();
    assume(least <= value && value <= most);
    return value;
}
