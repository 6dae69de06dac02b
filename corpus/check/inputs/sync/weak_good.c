// selvedge: check
// expect: verified
//
// A loop that does nothing but try a weak compare-exchange again: however often it fails, that is no other way.
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int total;

static void add(int n) {
    int old = atomic_load(&total);
    while (!atomic_compare_exchange_weak(&total, &old, old + n))
        ;
}

static void *work(void *unused) {
    add(2);
    return unused;
}

int main(void) {
    int n = selvedge_any_int();
    selvedge_assume(n > 0 && n < 100);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    add(n);
    pthread_join(thread, 0);
    selvedge_assert(atomic_load(&total) == n + 2);
    return 0;
}
