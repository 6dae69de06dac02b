// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DTAKE=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DLEAVE=memory_order_relaxed
// expect: violation data-race
//
// Test, then test and set.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif

static atomic_int taken;
static int counter;

static void acquire(atomic_int *l) {
  for (;;) {
    while (atomic_load_explicit(l, memory_order_relaxed))
      ;
    if (!atomic_exchange_explicit(l, 1, TAKE))
      return;
  }
}

static void release(atomic_int *l) { atomic_store_explicit(l, 0, LEAVE); }

static void *worker(void *unused) {
  acquire(&taken);
  ++counter;
  release(&taken);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
  assert(counter == THREADS);
}
