// selvedge: check --overflow --no-races
// expect: verified
//
// The same within bounds; unsigned numbers wrap.
#include <pthread.h>
#include <selvedge.h>

static int total;
static unsigned rounds = ~0u;

static void *add(void *unused) {
    total = -total + 1;
    rounds++;
    return unused;
}

int main(void) {
    total = selvedge_any_int();
    selvedge_assume(-5 <= total && total <= 5);
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    pthread_join(a, 0);
    return 0;
}
