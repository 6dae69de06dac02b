// selvedge: check
// expect: violation assertion line 40
// selvedge: check --cflags=-DFIXED
// expect: verified
// selvedge: check --model sc
// expect: verified
// selvedge: check --model tso
// expect: verified
// selvedge: check --model pso
// expect: violation assertion line 40
// selvedge: check --model pso --cflags=-DFIXED
// expect: verified
//
// A sensor stores a reading and then raises a flag, both without ordering. Where stores may overtake each other the
// flag can be seen first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define RAISE memory_order_release
#define LOOK memory_order_acquire
#else
#define RAISE memory_order_relaxed
#define LOOK memory_order_relaxed
#endif

static atomic_int temperature, available;

static void *sensor(void *unused) {
    atomic_store_explicit(&temperature, 21, memory_order_relaxed);
    atomic_store_explicit(&available, 1, RAISE);
    return unused;
}

static void *display(void *unused) {
    while (!atomic_load_explicit(&available, LOOK))
        ;
    int shown = atomic_load_explicit(&temperature, memory_order_relaxed);
    assert(shown == 21);
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, sensor, NULL);
    pthread_create(&reader, NULL, display, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
