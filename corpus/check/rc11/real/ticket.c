// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DSERVE=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DSERVED=memory_order_relaxed
// expect: violation data-race
//
// A ticket lock: who draws a number waits until it is served.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef SERVE
#define SERVE memory_order_release
#endif
#ifndef SERVED
#define SERVED memory_order_acquire
#endif

struct lock {
  atomic_uint next, serving;
};
static struct lock lock;
static int counter;

static void acquire(struct lock *l) {
  unsigned mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&l->serving, SERVED) != mine)
    ;
}

static void release(struct lock *l) {
  unsigned mine = atomic_load_explicit(&l->serving, memory_order_relaxed);
  atomic_store_explicit(&l->serving, mine + 1, SERVE);
}

static void *worker(void *unused) {
  acquire(&lock);
  ++counter;
  release(&lock);
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
