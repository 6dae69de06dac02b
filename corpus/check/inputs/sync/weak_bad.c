// selvedge: check
// expect: violation assertion
//
// A weak compare-exchange may fail for no reason three times in a row.
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int word;

static void *look(void *unused) {
    atomic_load(&word);
    return unused;
}

int main(void) {
    int wanted = selvedge_any_int();
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    int failed = 0;
    for (int old = 0; !atomic_compare_exchange_weak(&word, &old, wanted) && failed < 3;)
        failed++;
    selvedge_assert(failed < 3 || wanted != 9);
    pthread_join(thread, 0);
    return 0;
}
