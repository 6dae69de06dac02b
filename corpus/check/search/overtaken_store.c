// selvedge: check --model tso
// expect: verified
// selvedge: check --model pso
// expect: violation data-race
// selvedge: check --model pso --cflags=-DRELEASE
// expect: verified
//
// The flag can become visible before the data: whoever sees it reads the data while the store still waits in its buffer.
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int data;
static atomic_int flag;

static void *writer(void *unused) {
    data = 2;
    atomic_store_explicit(&flag, 1, PUBLISH);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        volatile int seen = data;
        (void)seen;
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
