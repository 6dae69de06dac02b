// selvedge: check --model rc11
// expect: unknown different sizes
//
// What the model has no answer for is not answered.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union {
  _Atomic uint32_t whole;
  _Atomic uint16_t half;
} both;

void *thread(void *unused) {
  atomic_store_explicit(&both.half, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  atomic_store_explicit(&both.whole, 1, memory_order_relaxed);
  pthread_join(other, 0);
}
