// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DPROTECT=memory_order_relaxed
// expect: violation memory
// selvedge: check --model rc11 --cflags -DSCAN=memory_order_relaxed
// expect: violation memory
//
// A stack whose nodes are freed when no hazard pointer guards them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef PROTECT
#define PROTECT memory_order_seq_cst
#endif
#ifndef SCAN
#define SCAN memory_order_seq_cst
#endif

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;
static _Atomic(struct node *) guards[THREADS];

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed))
    ;
}

static int pop(int me) {
  for (;;) {
    struct node *node = atomic_load_explicit(&top, memory_order_relaxed);
    if (!node)
      return 0;
    atomic_store_explicit(&guards[me], node, memory_order_release);
    atomic_thread_fence(PROTECT);
    if (atomic_load_explicit(&top, memory_order_acquire) != node)
      continue;
    struct node *next = node->next;
    if (!atomic_compare_exchange_strong_explicit(&top, &node, next, memory_order_acquire,
                                                 memory_order_relaxed))
      continue;
    int value = node->value;
    atomic_store_explicit(&guards[me], 0, memory_order_release);
    atomic_thread_fence(SCAN);
    int guarded = 0;
    for (int i = 0; i < THREADS; ++i)
      guarded |= i != me && atomic_load_explicit(&guards[i], memory_order_acquire) == node;
    if (!guarded)
      free(node);
    return value;
  }
}

static void *worker(void *unused) {
  int value = pop(1);
  assert(value >= 0 && value <= 2);
  return unused;
}

int main(void) {
  push(1);
  push(2);
  pthread_t other;
  pthread_create(&other, 0, worker, 0);
  assert(pop(0) > 0);
  pthread_join(other, 0);
}
