// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// The reader comes to its second access only where it is the last thread, unless it runs while the others are there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 8
atomic_int stage, data;

static void *reader(void *unused) {
  if (stage == ROUNDS)
    assert(data == 41);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  for (int i = 1; i <= ROUNDS; i++)
    stage = i;
  data = 41;
  pthread_exit(0);
}
