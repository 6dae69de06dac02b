// selvedge: check --no-races
// expect: violation assertion
//
// The initialiser runs once, for whoever comes first.
#include <pthread.h>
#include <selvedge.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, chosen;
static _Thread_local int wish;

static void initialise(void) {
    runs++;
    chosen = wish;
}

static void *work(void *unused) {
    wish = selvedge_any_int();
    pthread_once(&once, initialise);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    wish = 1;
    pthread_once(&once, initialise);
    selvedge_assert(runs == 1);
    selvedge_assert(chosen != 7);
    pthread_join(thread, 0);
    return 0;
}
