// selvedge: check
// expect: verified
// selvedge: check --model sc
// expect: verified
// After all threads were joined it makes no difference how weakly main reads what they have left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

static void *adds(void *unused) {
  count++;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, adds, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(atomic_load_explicit(&count, memory_order_relaxed) == 2);
  return 0;
}
