// selvedge: check --model pso --strategy optimal
// expect: verified
// selvedge: check --model pso --strategy dpor
// expect: verified
// selvedge: check --model tso --strategy optimal
// expect: verified
// selvedge: check --model pso --strategy auto
// expect: verified

// The store to `known` is behind those to `mine` in the buffer. It can leave it when these have, or when `mine` is gone: in
// that case it comes after the step with which the function returns, and in no other order.
#include <pthread.h>

struct box {
    int a, d;
};
static unsigned long hidden;
static int known, last;

static void *fill(void *argument) {
    struct box mine;
    mine.a = 1;
    mine.d = 1;
    hidden = (unsigned long)&mine ^ 0x5a5aUL;
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    return __atomic_load_n(&last, __ATOMIC_SEQ_CST) ? argument : 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, fill, NULL);
    int seen = __atomic_load_n(&known, __ATOMIC_SEQ_CST);
    if (seen) __atomic_store_n(&last, 3, __ATOMIC_SEQ_CST);
    return 0;
}
