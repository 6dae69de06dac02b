// selvedge: check --model tso --set chain_sample_bits=0
// expect: violation assertion
// mutant: verified
// What waits in the buffers of the copying threads is all that is left of what they have read.
#include <assert.h>
#include <pthread.h>

int x[3], y;

static void *copying(void *to) {
  __atomic_store_n((int *)to, __atomic_load_n(&y, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  return 0;
}

static void *storing(void *unused) {
  for (int i = 1; i < 4; i++)
    __atomic_store_n(&y, i, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, copying, &x[i]);
  pthread_create(&threads[3], 0, storing, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
  assert(x[0] != 1 || x[1] != 2 || x[2] != 1);
  return 0;
}
