// selvedge: check --model rc11
// expect: unknown atomic sections
//
// What atomic sections order is not said where atomics are weaker than sequentially consistent. They do not race with each
// other in any case.
#include <pthread.h>
#include <stdatomic.h>

static int number;
static atomic_int flag;

void __VERIFIER_atomic_add(int value) {
    number += value;
}

static void *add(void *unused) {
    __VERIFIER_atomic_add(1);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    __VERIFIER_atomic_add(2);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return number != 6;
}
