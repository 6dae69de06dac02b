// selvedge: check
// expect: violation assertion
// selvedge: check --cflags=-DATOMIC
// expect: violation assertion
// selvedge: check --cflags=-DRESULT
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion

// Two threads look at a number while it changes. Nobody notices what they do until they have ended: then main does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int number;
#ifdef ATOMIC
static atomic_int first, second;
#else
static int first, second;
#endif

static void *change(void *argument) {
    atomic_store(&number, 1);
    atomic_store(&number, 2);
    return NULL;
}

static void *look(void *argument) {
    int seen = atomic_load(&number);
#ifdef RESULT
    return (void *)(intptr_t)seen;
#else
    if (argument)
        first = seen;
    else
        second = seen;
    return NULL;
#endif
}

int main(void) {
    pthread_t changer, one, other;
    pthread_create(&changer, NULL, change, NULL);
    pthread_create(&one, NULL, look, &changer);
    pthread_create(&other, NULL, look, NULL);
    void *result = NULL, *another = NULL;
    pthread_join(changer, NULL);
    pthread_join(one, &result);
    pthread_join(other, &another);
#ifdef RESULT
    first = (int)(intptr_t)result;
    second = (int)(intptr_t)another;
#endif
    assert(!(first == 1 && second == 1));
    return 0;
}
