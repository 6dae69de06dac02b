// selvedge: check --count-views
// expect: verified classes 2
// selvedge: check --strategy states --count-views
// expect: verified classes 2

// An exchange that fails and has seen 2 is not one that succeeds, followed by a look that sees 2.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number = 1;

static void *exchange(void *argument) {
    int seen = 1;
    if (atomic_compare_exchange_strong(&number, &seen, 2))
        atomic_load(&number);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exchange, NULL);
    atomic_store(&number, 2);
    pthread_join(thread, NULL);
    return 0;
}
