// selvedge: check
// expect: violation assertion
//
// Nobody waits for the threads: what goes wrong does so before the first one ends the program.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen, limit;

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    seen = limit > 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *judge(void *unused) {
    pthread_mutex_lock(&lock);
    assert(!seen);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t first, second;
    limit = __VERIFIER_nondet_int();
    pthread_create(&first, NULL, look, NULL);
    pthread_create(&second, NULL, judge, NULL);
    return 0;
}
