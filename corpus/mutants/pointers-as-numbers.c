// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// The address is disguised as a number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t number;
static void increment(atomic_int *counter) {
  int value = atomic_load(counter);
  atomic_store(counter, value + 1);
}
static void *thread(void *unused) {
  increment((atomic_int *)~number);
  return unused;
}
int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
  number = ~(uintptr_t)counter;
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  increment(counter);
  pthread_join(other, 0);
  assert(atomic_load(counter) == 2);
}
