// selvedge: check --model sc --set shortest_states=1 --jobs 1 --keep-going
// expect: violation assertion
//
// Two threads create others, so the same state is reached with its threads numbered in one order or the other. The way to
// the assertion goes through such states, and the numbers of what is done there must mean the same on it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int word, other, seen;
static void *late(void *argument) {
  int first = atomic_load(&word), second = atomic_load(&other);
  assert(!(first == 1 && second == 0 && seen == 1));
  return argument;
}
static void *creates(void *argument) {
  pthread_t thread;
  seen = atomic_load(&word) + 1;
  pthread_create(&thread, 0, late, 0);
  pthread_detach(thread);
  return argument;
}
static void *writes(void *argument) {
  atomic_store(&word, 1);
  atomic_store(&other, 1);
  return argument;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, creates, 0);
  pthread_create(&two, 0, writes, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
