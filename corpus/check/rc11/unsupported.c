// selvedge: check --model rc11
// expect: unknown pthread_mutex_trylock under rc11
// selvedge: check --model rc11 --cflags -DMIXED
// expect: unknown different sizes
//
// What the model has no answer for is not answered.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
union {
  _Atomic uint32_t whole;
  _Atomic uint16_t half;
} both;

void *thread(void *unused) {
#ifdef MIXED
  atomic_store_explicit(&both.half, 1, memory_order_relaxed);
#else
  if (!pthread_mutex_trylock(&mutex))
    pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  atomic_store_explicit(&both.whole, 1, memory_order_relaxed);
  pthread_join(other, 0);
}
