// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// The address is printed and read again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static char text[32];
static void increment(atomic_int *counter) {
  int value = atomic_load(counter);
  atomic_store(counter, value + 1);
}
static void *thread(void *unused) {
  void *counter;
  sscanf(text, "%p", &counter);
  increment(counter);
  return unused;
}
int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
  sprintf(text, "%p", (void *)counter);
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  increment(counter);
  pthread_join(other, 0);
  assert(atomic_load(counter) == 2);
}
