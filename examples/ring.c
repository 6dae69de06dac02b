// A ring for one producer and one consumer, without a lock, and a client of it that is worth checking: small, with every
// operation on every side, and one more letter than there is room.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

enum { ROOM = 2, LETTERS = 3 };

static int slots[ROOM];
static atomic_uint head, tail;

static bool put(int letter) {
  unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  if (at - atomic_load_explicit(&head, memory_order_acquire) == ROOM)
    return false;
  slots[at % ROOM] = letter;
  atomic_store_explicit(&tail, at + 1, PUBLISH);
  return true;
}

static bool take(int *letter) {
  unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  if (at == atomic_load_explicit(&tail, memory_order_acquire))
    return false;
  *letter = slots[at % ROOM];
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return true;
}

static void *producer(void *unused) {
  for (int i = 1; i <= LETTERS; i++)
    if (!put(i))
      break;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, producer, NULL);
  int last = 0;
  for (int i = 0; i < LETTERS; i++) {
    int letter;
    if (take(&letter)) {
      assert(letter == last + 1);
      last = letter;
    }
  }
  pthread_join(other, NULL);
  return 0;
}
