// selvedge: check
// expect: violation data-race
// selvedge: check --volatile-atomic relaxed
// expect: violation assertion line 40
// selvedge: check --volatile-atomic seq-cst
// expect: verified
// selvedge: check --volatile-atomic relaxed --cflags -DFENCED
// expect: verified
// selvedge: check --volatile-atomic relaxed --cflags -DPLAIN
// expect: violation data-race

// A flag as code had it before C11: volatile, with or without a fence of the compiler's beside it. Taken for relaxed
// accesses it publishes nothing without the fence; what is not volatile races whatever volatile accesses are taken for.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __sync_synchronize()
#else
#define FENCE()
#endif

#ifdef PLAIN
static int flag;
#else
static volatile int flag;
#endif
static volatile long data;

static void *writer(void *unused) {
    (void)unused;
    data = 42;
    FENCE();
    flag = 1;
    return 0;
}

static void look(int seen) {
    FENCE();
    assert(!seen || data == 42); // fault: without a fence the flag may be seen before the data
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    look(flag);
    pthread_join(thread, 0);
    return 0;
}
