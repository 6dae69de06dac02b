// selvedge: check
// expect: violation assertion line 48
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model tso --cflags=-DFIXED
// expect: verified
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// A position behind a sequence lock. The reader makes sure that no write is under way when it begins, but not that
// none has begun since.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int latitude, longitude;

static void move_to(int where) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&latitude, where, memory_order_relaxed);
    atomic_store_explicit(&longitude, where, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 2, memory_order_release);
}

static void *travel(void *unused) {
    move_to(1);
    move_to(2);
    return unused;
}

static void *look(void *unused) {
    int seen_latitude, seen_longitude;
    unsigned before, after;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        seen_latitude = atomic_load_explicit(&latitude, memory_order_relaxed);
        seen_longitude = atomic_load_explicit(&longitude, memory_order_relaxed);
#ifdef FIXED
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
#else
        after = before;
#endif
    } while (before % 2 == 1 || before != after);
    assert(seen_latitude == seen_longitude);
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, travel, NULL);
    pthread_create(&reader, NULL, look, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
