// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// A tag is written over a part of the pointer before it is published.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static uint64_t published;
static void increment(atomic_int *counter) {
  int value = atomic_load(counter);
  atomic_store(counter, value + 1);
}
static void *thread(void *unused) {
  increment((atomic_int *)(published & 0xffffffffffff));
  return unused;
}
int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
  char bytes[8];
  memcpy(bytes, &counter, 8);
  memset(bytes + 6, 1, 2);
  memcpy(&published, bytes, 8);
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  increment(counter);
  pthread_join(other, 0);
  assert(atomic_load(counter) == 2);
}
