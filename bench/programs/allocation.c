// selvedge: check --cflags=-DN=1
// expect: verified
//
// Two threads take N of the blocks of a list each and give them back. Finding a free block and taking it are each done
// under the lock, but not together, so that both may get the same block.
#include "bench.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken[2 * N];

static int find(void) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2 * N && found < 0; i++)
        if (!atomic_load(&taken[i]))
            found = i;
    pthread_mutex_unlock(&lock);
    return found;
}

static void mark(int block, int as) {
    pthread_mutex_lock(&lock);
    if (atomic_load(&taken[block]) != as)
        atomic_store(&taken[block], as);
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    int blocks[N];
    for (int i = 0; i < N; i++) {
        blocks[i] = find();
        if (blocks[i] >= 0)
            mark(blocks[i], 1);
    }
    for (int i = 0; i < N; i++)
        if (blocks[i] >= 0)
            mark(blocks[i], 0);
    return NULL;
}

int main(void) {
    pthread_t first = start(work, 0), second = start(work, 1);
    join(first);
    join(second);
    return 0;
}
