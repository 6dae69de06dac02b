// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// mutant: verified

// Where the reader comes first the writer sleeps, having come first before. It has to wake as soon as the reader has read what
// it writes, and both stores have to be tried between the two loads.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *reader(void *unused) {
    int first = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    int second = __atomic_load_n(&y, __ATOMIC_SEQ_CST);
    assert(first == 1 || second == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    return 0;
}
