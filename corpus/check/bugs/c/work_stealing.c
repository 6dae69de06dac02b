// selvedge: check
// expect: violation assertion line 55
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A deque of tasks: its owner pushes and takes at the bottom, a thief steals at the top. The owner takes the last task
// without competing for it, so that it can be done twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TASKS = 2, NONE = -1 };

static atomic_int tasks[TASKS];
static atomic_int top, bottom;
static atomic_int done[TASKS];

static void push(int task) {
    int at = atomic_load(&bottom);
    atomic_store(&tasks[at % TASKS], task);
    atomic_store(&bottom, at + 1);
}

static int take(void) {
    int at = atomic_load(&bottom) - 1;
    atomic_store(&bottom, at);
    int oldest = atomic_load(&top);
    if (oldest > at) {
        atomic_store(&bottom, oldest);
        return NONE;
    }
    int task = atomic_load(&tasks[at % TASKS]);
#ifdef FIXED
    if (oldest == at) {
        if (!atomic_compare_exchange_strong(&top, &oldest, oldest + 1))
            task = NONE;
        atomic_store(&bottom, at + 1);
    }
#endif
    return task;
}

static int steal(void) {
    int oldest = atomic_load(&top);
    if (oldest >= atomic_load(&bottom))
        return NONE;
    int task = atomic_load(&tasks[oldest % TASKS]);
    return atomic_compare_exchange_strong(&top, &oldest, oldest + 1) ? task : NONE;
}

static void perform(int task) {
    if (task == NONE)
        return;
    int before = atomic_fetch_add(&done[task], 1);
    assert(before == 0);
}

static void *owner(void *unused) {
    push(0);
    push(1);
    perform(take());
    perform(take());
    return unused;
}

static void *thief(void *unused) {
    perform(steal());
    perform(steal());
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, owner, NULL);
    pthread_create(&threads[1], NULL, thief, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
