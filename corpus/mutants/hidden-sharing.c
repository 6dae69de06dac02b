// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// The other thread knows the counter only by its distance from another object, which is not an address.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static char base;
static intptr_t distance;
static void increment(atomic_int *counter) {
  int value = atomic_load(counter);
  atomic_store(counter, value + 1);
}
static void *thread(void *unused) {
  increment((atomic_int *)((intptr_t)&base + distance));
  return unused;
}
int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
  char *origin = &base;
  distance = (intptr_t)counter - (intptr_t)origin;
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  increment(counter);
  pthread_join(other, 0);
  assert(atomic_load(counter) == 2);
}
