// selvedge: run
// expect: exit 0
// seeds: 20
//
// Between begin and end of an atomic section no other thread does anything.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int first, second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    for (int i = 0; i < 3; i++) {
        __VERIFIER_atomic_begin();
        int seen = first;
        assert(seen == second);
        first = seen + 1;
        pthread_mutex_lock(&mutex);
        second = seen + 1;
        pthread_mutex_unlock(&mutex);
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(first == 9 && second == 9);
    return 0;
}
