// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DFILLED=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DEMPTIED=memory_order_relaxed
// expect: violation data-race
//
// Vyukov's bounded queue for many producers and consumers: each cell has a number that says whose turn it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 2
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef EACH
#define EACH 3
#endif
#ifndef FILLED
#define FILLED memory_order_release
#endif
#ifndef EMPTIED
#define EMPTIED memory_order_release
#endif

struct cell {
  atomic_uint turn;
  int value;
};
static struct cell cells[SIZE];
static atomic_uint head, tail;

static int put(int value) {
  unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &cells[at % SIZE];
    int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - at);
    if (ahead < 0)
      return 0;
    if (ahead > 0)
      at = atomic_load_explicit(&tail, memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit(&tail, &at, at + 1, memory_order_relaxed,
                                                     memory_order_relaxed)) {
      cell->value = value;
      atomic_store_explicit(&cell->turn, at + 1, FILLED);
      return 1;
    }
  }
}

static int get(int *value) {
  unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &cells[at % SIZE];
    int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - (at + 1));
    if (ahead < 0)
      return 0;
    if (ahead > 0)
      at = atomic_load_explicit(&head, memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit(&head, &at, at + 1, memory_order_relaxed,
                                                     memory_order_relaxed)) {
      *value = cell->value;
      atomic_store_explicit(&cell->turn, at + SIZE, EMPTIED);
      return 1;
    }
  }
}

static void *producer(void *unused) {
  for (int i = 1; i <= EACH; ++i)
    if (!put(i))
      break;
  return unused;
}

int main(void) {
  for (unsigned i = 0; i < SIZE; ++i)
    atomic_init(&cells[i].turn, i);
  pthread_t threads[PRODUCERS];
  for (int i = 0; i < PRODUCERS; ++i)
    pthread_create(&threads[i], 0, producer, 0);
  int value, last = 0;
  for (int i = 0; i < 2; ++i)
    if (get(&value)) {
      assert(value > 0 && value <= EACH);
      assert(PRODUCERS > 1 || value == last + 1);
      last = value;
    }
  for (int i = 0; i < PRODUCERS; ++i)
    pthread_join(threads[i], 0);
}
