// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DPUSHED=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DPOPPED=memory_order_relaxed
// expect: violation data-race
//
// Treiber's stack; what was popped is given back by nobody but its popper, at the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef PUSHED
#define PUSHED memory_order_release
#endif
#ifndef POPPED
#define POPPED memory_order_acquire
#endif

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;
static struct node nodes[THREADS];

static void *worker(void *mine) {
  struct node *node = mine;
  node->value = (int)(node - nodes) + 1;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, PUSHED, memory_order_relaxed))
    ;
  struct node *got = atomic_load_explicit(&top, POPPED);
  while (got && !atomic_compare_exchange_weak_explicit(&top, &got, got->next, POPPED, POPPED))
    ;
  if (got)
    assert(got->value > 0);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, &nodes[i]);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
  assert(!atomic_load_explicit(&top, memory_order_relaxed));
}
