// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DONCE
// expect: violation assertion
//
// A weak compare-exchange may fail for no reason: it has to be tried again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *count(void *unused) {
  int seen = atomic_load_explicit(&counter, memory_order_relaxed);
#ifdef ONCE
  int done = atomic_compare_exchange_weak_explicit(&counter, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed);
  assert(done || seen != 0);
#else
  while (!atomic_compare_exchange_weak_explicit(&counter, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed))
    ;
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, count, 0);
  count(0);
  pthread_join(other, 0);
#ifndef ONCE
  assert(counter == 2);
#endif
}
