// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: verified
// selvedge: check --model pso
// expect: verified
// selvedge: check --model pso --strategy optimal
// expect: verified
// selvedge: check --model tso --strategy mcr
// expect: unknown

// An atomic object that is too large for the processor changes as a whole under the models with buffers, too.
#include <assert.h>
#include <pthread.h>

struct record {
    long a, b, c;
};

static struct record shared;

static void *look(void *argument) {
    struct record seen;
    __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
    assert(seen.a == seen.b && seen.b == seen.c);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    struct record record = {1, 1, 1};
    __atomic_store(&shared, &record, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    return 0;
}
