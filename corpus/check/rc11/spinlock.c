// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DUNLOCK=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DFORGET
// expect: violation termination
// selvedge: check --model rc11 --cflags -DPLAIN
// expect: violation data-race
//
// A lock that is one word, tried again and again. Exchanges that change nothing are not counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

atomic_int lock;
int counter, done;

void *count(void *unused) {
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    ;
  ++counter;
#ifndef FORGET
  atomic_store_explicit(&lock, 0, UNLOCK);
#endif
#ifdef PLAIN
  done = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, count, 0);
#ifdef PLAIN
  while (!done)
    ;
#else
  pthread_create(&other, 0, count, 0);
  pthread_join(other, 0);
#endif
  pthread_join(one, 0);
  assert(counter == 2);
}
