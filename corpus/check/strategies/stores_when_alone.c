// selvedge: check --model tso --strategy auto
// expect: verified
// selvedge: check --model tso --strategy dpor
// expect: verified
// selvedge: check --model tso --strategy optimal
// expect: verified
// selvedge: check --model tso --strategy se-mcr
// expect: verified
// selvedge: check --model tso --strategy viequi
// expect: verified
// selvedge: check --model pso --strategy auto
// expect: verified
// selvedge: check --model pso --strategy dpor
// expect: verified
// selvedge: check --model pso --strategy optimal
// expect: verified
// selvedge: check --model pso --strategy se-mcr
// expect: verified
// selvedge: check --model pso --strategy viequi
// expect: verified

// Main may be alone when it stores `own`, or have others beside it, and holds the mutex when it leaves: the store has to leave
// its buffer by a step of its own in both cases, or the orders that one execution asks for are none of the other.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int y, seen, own;

static void *lock(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *look(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    seen = __atomic_load_n(&y, __ATOMIC_SEQ_CST);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, lock, NULL);
    pthread_create(&second, NULL, look, NULL);
    pthread_detach(second);
    __atomic_store_n(&y, 2, __ATOMIC_SEQ_CST);
    own = __atomic_load_n(&y, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    return 0;
}
