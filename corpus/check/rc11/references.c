// selvedge: check
// expect: verified
// selvedge: check --cflags -DRELEASE=memory_order_relaxed
// expect: violation data-race
//
// Three threads count two references each. The orders in which they do so are many, the states few.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef THREADS
#define THREADS 3
#endif

struct shared {
  atomic_int references, other;
  int value;
};

static void drop(struct shared *shared) {
  if (atomic_fetch_sub_explicit(&shared->references, 1, RELEASE) == 1) {
    atomic_thread_fence(memory_order_acquire);
    assert(shared->value == 1);
    free(shared);
  }
}

static void *use(void *argument) {
  struct shared *shared = argument;
  atomic_fetch_add_explicit(&shared->other, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
  assert(shared->value == 1);
  drop(shared);
  drop(shared);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  struct shared *shared = malloc(sizeof *shared);
  atomic_init(&shared->references, THREADS);
  atomic_init(&shared->other, 0);
  shared->value = 1;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, use, shared);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
}
