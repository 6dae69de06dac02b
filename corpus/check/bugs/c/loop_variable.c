// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Threads are told their number by the address of the loop's counter, which goes on counting.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 2 };

static atomic_int started[WORKERS + 1];

static void *work(void *number) {
    atomic_fetch_add(&started[*(int *)number], 1);
    return NULL;
}

int main(void) {
    pthread_t workers[WORKERS];
#ifdef FIXED
    int numbers[WORKERS];
#endif
    int i;
    for (i = 0; i < WORKERS; i++) {
#ifdef FIXED
        numbers[i] = i;
        pthread_create(&workers[i], NULL, work, &numbers[i]);
#else
        pthread_create(&workers[i], NULL, work, &i);
#endif
    }
    for (int j = 0; j < WORKERS; j++)
        pthread_join(workers[j], NULL);
    assert(started[0] == 1 && started[1] == 1);
    return 0;
}
