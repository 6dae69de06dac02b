// selvedge: check --model sc
// expect: violation data-race
//
// An atomic section excludes other sections, not an access that is in none.
#include <pthread.h>

static int number, started;

void __VERIFIER_atomic_publish(int value) {
    started = started;
    number = value;
}

static void *publish(void *unused) {
    __VERIFIER_atomic_publish(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    int seen = number;
    pthread_join(thread, NULL);
    return seen > 1;
}
