// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model pso
// expect: violation assertion
// selvedge: check --model tso --strategy states
// expect: violation assertion
// selvedge: check --model pso --strategy states --without all
// expect: violation assertion
// selvedge: check --model tso --strategy dpor
// expect: violation assertion
// The store that main looks for leaves the buffer by itself, or with the end of its thread: then main is alone.
#include <assert.h>
#include <pthread.h>

int stage, data;

static void *writer(void *unused) {
  for (int i = 1; i <= 2; i++)
    __atomic_store_n(&stage, i, __ATOMIC_RELAXED);
  __atomic_store_n(&data, 41, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (__atomic_load_n(&stage, __ATOMIC_RELAXED) == 2)
    assert(__atomic_load_n(&data, __ATOMIC_RELAXED) == 41);
  pthread_join(thread, 0);
  return 0;
}
