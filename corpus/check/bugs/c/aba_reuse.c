// selvedge: check
// expect: violation assertion line 34
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A lock-free list of free blocks, addressed by number. A block is taken, and given back while another thread is in
// the middle of taking it; its number is on top again, but what was below it is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { BLOCKS = 3, NONE = 15 };

#ifdef FIXED
enum { STEP = 16 };
#else
enum { STEP = 0 };
#endif

/* The number of the top block in the low four bits; above them the fixed version counts the changes. */
static atomic_uint top;
static atomic_uint next[BLOCKS] = {1, 2, NONE};
static atomic_int users[BLOCKS];

static unsigned allocate(void) {
    unsigned seen = atomic_load(&top);
    for (;;) {
        unsigned block = seen % 16;
        if (block == NONE)
            return NONE;
        unsigned below = atomic_load(&next[block]);
        if (atomic_compare_exchange_strong(&top, &seen, seen - block + STEP + below)) {
            int before = atomic_fetch_add(&users[block], 1);
            assert(before == 0);
            return block;
        }
    }
}

static void release(unsigned block) {
    atomic_fetch_sub(&users[block], 1);
    unsigned seen = atomic_load(&top);
    do
        atomic_store(&next[block], seen % 16);
    while (!atomic_compare_exchange_strong(&top, &seen, seen - seen % 16 + STEP + block));
}

static void *steady(void *unused) {
    allocate();
    allocate();
    return unused;
}

static void *hasty(void *unused) {
    unsigned first = allocate();
    allocate();
    if (first != NONE)
        release(first);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, steady, NULL);
    pthread_create(&other, NULL, hasty, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
