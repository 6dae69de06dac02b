// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DLINK=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DFOLLOW=memory_order_relaxed
// expect: violation data-race
//
// The queue of Michael and Scott; nodes are not freed while it is used.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef LINK
#define LINK memory_order_release
#endif
#ifndef FOLLOW
#define FOLLOW memory_order_acquire
#endif

struct node {
  int value;
  _Atomic(struct node *) next;
};
static struct node dummy;
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void put(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, 0);
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, LINK, memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
      return;
    }
  }
}

static int get(void) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, FOLLOW);
    if (!next)
      return 0;
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    if (first == last)
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
    int value = next->value;
    if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
      return value;
  }
}

static void *producer(void *unused) {
  put(1);
  put(2);
  return unused;
}

int main(void) {
  pthread_t threads[PRODUCERS];
  for (int i = 0; i < PRODUCERS; ++i)
    pthread_create(&threads[i], 0, producer, 0);
  int first = get(), second = get();
  assert(PRODUCERS > 1 || (first == 0 && second <= 1) || (first == 1 && second != 1));
  for (int i = 0; i < PRODUCERS; ++i)
    pthread_join(threads[i], 0);
}
