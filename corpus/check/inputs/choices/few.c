// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model pso
// expect: violation assertion
// selvedge: check --model rc11
// expect: violation assertion
// selvedge: check --model mca
// expect: violation assertion
//
// The number of rounds is an input, and one of its values shows the mistake.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, rounds;

static void *add(void *unused) {
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    rounds = selvedge_any_int();
    selvedge_assume(0 <= rounds && rounds <= 4);
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count != 6);
    return 0;
}
