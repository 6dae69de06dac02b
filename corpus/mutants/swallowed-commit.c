// selvedge: check --model tso --strategy optimal
// expect: violation assertion
// mutant: verified

// The store of main may leave its buffer before the other thread reads. Were the buffer drained by that thread's end, which
// leaves main alone, there would be no step of the store's that the read could be overtaken by.
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *unused) {
    assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    pthread_join(thread, 0);
    return 0;
}
