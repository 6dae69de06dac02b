// selvedge: check --model rc11
// expect: verified executions 2
// selvedge: check --model rc11 --strategy optimal
// expect: verified executions 9
// selvedge: check --model rc11 --cflags -DCOUNTS
// expect: verified executions 9
//
// How often a thread has looked in vain makes no difference once it has found what it looks for, unless it counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, looked;
static int data;

static void *fill(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    int looks = 0;
    while (looks < 8 && !atomic_load_explicit(&flag, memory_order_acquire))
        looks++;
    if (looks < 8)
        assert(data == 1);
#ifdef COUNTS
    atomic_store_explicit(&looked, looks, memory_order_relaxed);
#endif
    pthread_join(thread, NULL);
    return 0;
}
