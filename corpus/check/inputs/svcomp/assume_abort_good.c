// selvedge: check
// expect: verified
//
// Inputs are restricted by the function that the verification competition has for it, which ends the program otherwise.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

void reach_error(void) { __assert_fail("0", "assume_abort.c", 3, "reach_error"); }

void assume_abort_if_not(int condition) {
    if (!condition) {
        abort();
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument) {
    pthread_mutex_lock(&lock);
    sum += *(int *)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int one = __VERIFIER_nondet_int(), two = __VERIFIER_nondet_int();
    assume_abort_if_not(0 <= one && one <= 50);
    assume_abort_if_not(0 <= two && two <= 50);
    pthread_create(&first, NULL, add, &one);
    pthread_create(&second, NULL, add, &two);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    if (sum > 100) {
        reach_error();
    }
    return 0;
}
