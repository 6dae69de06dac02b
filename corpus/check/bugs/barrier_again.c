// selvedge: check
// expect: verified
// selvedge: check --model sc --strategy states
// expect: verified
//
// Barriers that are initialised again where that is allowed: after they were destroyed, and in memory that has been used
// for something else, though it still has the bytes of a barrier.
#include <pthread.h>
#include <string.h>

static void pass(pthread_barrier_t *barrier) {
    pthread_barrier_init(barrier, NULL, 1);
    pthread_barrier_wait(barrier);
}

static void local(void) {
    pthread_barrier_t barrier;
    pass(&barrier);
}

int main(void) {
    static pthread_barrier_t barrier, other;
    for (int round = 0; round < 3; round++) {
        pass(&barrier);
        if (round == 1) memcpy(&other, &barrier, sizeof other);
        pthread_barrier_destroy(&barrier);
        local();
    }
    pass(&other);
    return 0;
}
