// selvedge: check --model sc
// expect: violation termination
// selvedge: check
// expect: violation termination
// selvedge: check --model sc --cflags -DAGAIN
// expect: verified
//
// Who waits may have overwritten what it waits for. That the other store comes first is only seen where somebody goes on as
// if it had, while the waiting thread goes round.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *wait_for_one(void *unused) {
    atomic_store(&turn, 2);
    while (atomic_load(&turn) != 1)
        ;
    return unused;
}

static void *give_one(void *unused) {
#ifdef AGAIN
    while (atomic_load(&turn) != 2)
        ;
#endif
    atomic_store(&turn, 1);
    return unused;
}

int main(void) {
    pthread_t waits, gives;
    pthread_create(&waits, NULL, wait_for_one, NULL);
    pthread_create(&gives, NULL, give_one, NULL);
    pthread_join(waits, NULL);
    pthread_join(gives, NULL);
    return 0;
}
