// selvedge: check --without portfolio
// expect: violation assertion
//
// A decision that depends on two inputs at once.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>

static int difference;

static void *look(void *at) {
    int one = selvedge_any_int(), other = selvedge_any_int();
    selvedge_assume(0 <= one && one < 100 && 0 <= other && other < 100);
    if (one - other == 42 && at)
        difference = 1;
    return at;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, &difference);
    pthread_join(a, 0);
    assert(difference == 0);
    return 0;
}
