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
// What main writes after it has joined the first thread it writes alone in most executions, as the second has ended by then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int stage, data;

static void *first(void *unused) {
  stage = 1;
  stage = 2;
  return 0;
}

static void *second(void *unused) {
  int before = stage;
  int seen = data;
  assert(before != 1 || seen != 7);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  if (stage == 2)
    data = 7;
  pthread_join(b, 0);
  return 0;
}
