// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DSTORE_AGAIN
// expect: violation data-race
//
// An update in between keeps what a release has published; in C++20 a later store of the same thread does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int stage;

void *between(void *unused) {
  int expected = 1;
#ifdef STORE_AGAIN
  (void)expected;
#else
  atomic_compare_exchange_strong_explicit(&stage, &expected, 2, memory_order_relaxed, memory_order_relaxed);
#endif
  return unused;
}

void *reader(void *unused) {
  if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
    assert(message == 42);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, between, 0), pthread_create(&other, 0, reader, 0);
  message = 42;
  atomic_store_explicit(&stage, 1, memory_order_release);
#ifdef STORE_AGAIN
  atomic_store_explicit(&stage, 2, memory_order_relaxed);
#endif
  pthread_join(one, 0), pthread_join(other, 0);
}
