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
// Main only reads too; but it reads in the middle, after it has waited for two threads that only read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int stage;

static void *reader(void *unused) {
  (void)atomic_load(&stage);
  return 0;
}

static void *writer(void *unused) {
  stage = 1;
  stage = 2;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(stage != 1);
  pthread_join(c, 0);
  return 0;
}
