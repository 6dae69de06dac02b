// selvedge: check --overflow --no-races
// expect: violation overflow
//
// A sum of an input that has no bounds.
#include <pthread.h>
#include <selvedge.h>

static int total;

static void *add(void *unused) {
    total = total + 1;
    return unused;
}

int main(void) {
    total = selvedge_any_int();
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    pthread_join(a, 0);
    return 0;
}
