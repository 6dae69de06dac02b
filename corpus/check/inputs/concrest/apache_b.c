// selvedge: check --no-races
// expect: violation assertion
//
// A cache entry counts its users without a lock: two threads can both believe that they are the last.
#include <pthread.h>
#include <selvedge.h>

static int references, complete;

static void *leave(void *unused) {
    if (!complete) {
        int left = --references;
        if (references == 0)
            selvedge_assert(left == references);
    }
    return unused;
}

int main(void) {
    complete = selvedge_any_bool();
    references = selvedge_any_int();
    selvedge_assume(0 < references && references <= 2);
    pthread_t a, b;
    pthread_create(&a, 0, leave, 0);
    pthread_create(&b, 0, leave, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
