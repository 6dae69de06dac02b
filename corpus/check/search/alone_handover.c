// selvedge: check
// expect: violation assertion
// selvedge: check --model rc11 --strategy optimal
// expect: violation assertion
// selvedge: check --model sc
// expect: verified
// Only the last thread alive comes to something weaker than sequentially consistent in most executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 4
atomic_int stage, a, b;

static void *reader(void *unused) {
  if (stage == ROUNDS && atomic_load_explicit(&b, memory_order_relaxed))
    assert(atomic_load_explicit(&a, memory_order_relaxed));
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  for (int i = 1; i <= ROUNDS; i++)
    stage = i;
  a = 1;
  b = 1;
  pthread_exit(0);
}
