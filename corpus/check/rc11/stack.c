// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DPUBLISH=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DTAKE=memory_order_relaxed
// expect: violation data-race
//
// Nodes of a stack whose links are atomic: what is in them at first depends on what was read before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef TAKE
#define TAKE memory_order_acquire
#endif

struct node {
  int value;
  struct node *next;
};
_Atomic(struct node *) top;

void *push(void *value) {
  struct node *node = malloc(sizeof *node);
  node->value = value ? 2 : 1;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do
    node->next = old;
  while (!atomic_compare_exchange_strong_explicit(&top, &old, node, PUBLISH, memory_order_relaxed));
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, push, 0), pthread_create(&other, 0, push, &one);
  int sum = 0, count = 0;
  struct node *node = atomic_load_explicit(&top, TAKE);
  for (; node; node = node->next)
    sum += node->value, ++count;
  assert(count < 2 || sum == 3);
  pthread_join(one, 0), pthread_join(other, 0);
}
