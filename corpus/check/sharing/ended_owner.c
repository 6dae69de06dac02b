// selvedge: check
// expect: violation data-race
// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// selvedge: check --model sc --strategy mcr
// expect: unknown memory that holds no value
// selvedge: check --model tso --strategy states
// expect: violation data-race
// Where the main thread acts last, the owner of the block has ended; elsewhere it has not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static char base;
static _Atomic intptr_t distance;
static void *owner(void *unused) {
  int *block = malloc(sizeof *block);
  *block = 0;
  char *origin = &base;
  atomic_store(&distance, (intptr_t)block - (intptr_t)origin);
  *block = 1;
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, owner, 0);
  pthread_detach(other);
  intptr_t far = atomic_load(&distance);
  if (far != 0) {
    int *block = (int *)((intptr_t)&base + far);
    assert(*block == 1);
  }
}
