// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model pso
// expect: violation assertion
// selvedge: check
// expect: violation assertion
// selvedge: check --model mca
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// selvedge: check --model sc --strategy states --without all
// expect: violation assertion
// selvedge: check --model tso --without last-thread
// expect: violation assertion
// selvedge: check --model sc --without observers,summaries
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// The reader comes to its second access only after a value that is there for one step, or when it is the last thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 6
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
