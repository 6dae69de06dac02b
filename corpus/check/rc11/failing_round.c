// selvedge: check --model rc11
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DRELEASE
// expect: verified
// selvedge: check --model rc11 --cflags -DBEFORE
// expect: violation data-race
//
// What a thread reads only while it still waits may race with what others do because of what it stores after that.
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define AFTER memory_order_release
#else
#define AFTER memory_order_relaxed
#endif

static atomic_int ready, done;
static int hint;

static void *waits(void *unused) {
    int seen = 0;
#ifdef BEFORE
    seen += hint;
#endif
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        seen |= hint & 0;
    atomic_store_explicit(&done, 1 + seen, AFTER);
    return unused;
}

static void *writes(void *unused) {
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    if (atomic_load_explicit(&done, memory_order_acquire))
        hint = 1;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waits, NULL);
    pthread_create(&second, NULL, writes, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
