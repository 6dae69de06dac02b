// selvedge: check --cflags=-DN=2
// expect: verified
//
// The core of a crawler: two spiders take addresses from a queue under its lock until the queue is empty and nobody is
// at work, which they count without a lock; N addresses.
#include "bench.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int waiting = N, busy, visited;

static void *spider(void *argument) {
    for (int i = 0; i < N; i++) {
        if (atomic_load(&waiting) == 0 && atomic_load(&busy) == 0)
            break;
        int mine = 0;
        pthread_mutex_lock(&lock);
        if (atomic_load(&waiting) > 0) {
            mine = atomic_load(&waiting);
            atomic_store(&waiting, mine - 1);
        }
        pthread_mutex_unlock(&lock);
        if (mine == 0)
            continue;
        atomic_store(&busy, atomic_load(&busy) + 1);
        atomic_store(&visited, mine);
        atomic_store(&busy, atomic_load(&busy) - 1);
    }
    return NULL;
}

int main(void) {
    pthread_t first = start(spider, 0), second = start(spider, 1);
    join(first);
    join(second);
    return 0;
}
