// selvedge: check --model sc --strategy mcr --no-races
// expect: violation assertion
// selvedge: check --model sc --strategy mcr-s --no-races
// expect: violation assertion
// selvedge: check --model sc --strategy mcr-s+ --no-races
// expect: violation assertion
// selvedge: check --model sc --strategy se-mcr --no-races
// expect: violation assertion
// selvedge: check --model sc --strategy viequi --no-races
// expect: violation assertion
// selvedge: check --model tso --strategy mcr --no-races
// expect: violation assertion
// selvedge: check --model tso --strategy mcr-s --no-races
// expect: violation assertion
// selvedge: check --model tso --strategy mcr-s+ --no-races
// expect: violation assertion
// selvedge: check --model tso --strategy se-mcr --no-races
// expect: violation assertion
// selvedge: check --model tso --strategy viequi --no-races
// expect: violation assertion
// selvedge: check --model pso --strategy mcr --no-races
// expect: violation assertion
// selvedge: check --model pso --strategy mcr-s --no-races
// expect: violation assertion
// selvedge: check --model pso --strategy mcr-s+ --no-races
// expect: violation assertion
// selvedge: check --model pso --strategy se-mcr --no-races
// expect: violation assertion
// selvedge: check --model pso --strategy viequi --no-races
// expect: violation assertion

// A comparison stops at the first difference; that it comes to the end depends on all that it sees.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_long one[3], other[3];

static void *change(void *argument) {
    for (int i = 0; i < 3; i++) {
        atomic_store_explicit(&one[i], i + 1, memory_order_relaxed);
        atomic_store_explicit(&other[i], i + 1, memory_order_relaxed);
    }
    return NULL;
}

static void *compare(void *argument) {
    int seen = atomic_load_explicit(&one[2], memory_order_relaxed);
    int equal = !memcmp((void *)one, (void *)other, sizeof one);
    assert(!seen || equal); // fault: the last one may still be missing
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, change, NULL);
    pthread_create(&second, NULL, compare, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
