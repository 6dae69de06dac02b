// selvedge: check --model sc
// expect: verified
//
// All accesses are in atomic sections, or come after the threads have ended.
#include <pthread.h>

static int number, rounds;

void __VERIFIER_atomic_add(int value) {
    number += value;
    rounds++;
}

static void *add(void *unused) {
    __VERIFIER_atomic_add(1);
    __VERIFIER_atomic_add(2);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return number != 6 || rounds != 4;
}
