// selvedge: check
// expect: violation data-race line 19
// selvedge: check --keep-going
// expect: violation data-race line 19
// expect: violation assertion line 33
// selvedge: check --no-races
// expect: violation assertion line 33
// selvedge: check --cflags -DLOCKED --cross-check states
// expect: verified
//
// Two threads count: with a lock nothing is lost, without one they race, and a step of one of them can be lost.
#include <assert.h>
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void step(void) {
    counter++; // fault: nothing orders this with the other thread's
}

static void *count(void *unused) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
    step();
    pthread_mutex_unlock(&lock);
#else
    step();
#endif
    return unused;
}

static void judge(void) { assert(counter == 2); }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    judge();
    return 0;
}
