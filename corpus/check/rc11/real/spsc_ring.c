// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DFILLED=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DEMPTIED=memory_order_relaxed
// expect: violation data-race
//
// A ring between one producer and one consumer, who both wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef FILLED
#define FILLED memory_order_release
#endif
#ifndef EMPTIED
#define EMPTIED memory_order_release
#endif
#define SIZE 2

static int slots[SIZE];
static atomic_uint head, tail;

static void *producer(void *unused) {
  for (unsigned i = 0; i < ITEMS; ++i) {
    while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
      ;
    slots[i % SIZE] = (int)i;
    atomic_store_explicit(&tail, i + 1, FILLED);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  for (unsigned i = 0; i < ITEMS; ++i) {
    while (atomic_load_explicit(&tail, memory_order_acquire) == i)
      ;
    assert(slots[i % SIZE] == (int)i);
    atomic_store_explicit(&head, i + 1, EMPTIED);
  }
  pthread_join(thread, 0);
}
