// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DHAND_OVER=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DGIVE_BACK=memory_order_relaxed
// expect: violation data-race
//
// The queue lock of Mellor-Crummey and Scott: each waits at its own node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef HAND_OVER
#define HAND_OVER memory_order_release
#endif
#ifndef GIVE_BACK
#define GIVE_BACK memory_order_release
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_int waiting;
};
static _Atomic(struct node *) tail;
static struct node nodes[THREADS];
static int counter;

static void acquire(struct node *me) {
  atomic_store_explicit(&me->next, 0, memory_order_relaxed);
  atomic_store_explicit(&me->waiting, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (!before)
    return;
  atomic_store_explicit(&before->next, me, memory_order_release);
  while (atomic_load_explicit(&me->waiting, memory_order_acquire))
    ;
}

static void release(struct node *me) {
  struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!next) {
    struct node *last = me;
    if (atomic_compare_exchange_strong_explicit(&tail, &last, 0, GIVE_BACK, memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
      ;
  }
  atomic_store_explicit(&next->waiting, 0, HAND_OVER);
}

static void *worker(void *node) {
  acquire(node);
  ++counter;
  release(node);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, &nodes[i]);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
  assert(counter == THREADS);
}
