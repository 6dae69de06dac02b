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
// selvedge: check --model sc --strategy dpor
// expect: violation assertion
// Putting off a thread that only reads puts off whoever waits for its end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *first(void *unused) {
  (void)atomic_load(&y);
  return 0;
}

static void *second(void *unused) {
  int before = y, after = x;
  assert(before != 0 || after != 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  y = 1;
  pthread_join(a, 0);
  x = 1;
  pthread_join(b, 0);
  return 0;
}
