// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model pso
// expect: violation assertion
// selvedge: check
// expect: violation assertion
// Main is the last thread alive for a while, and then creates another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *first(void *unused) {
  x = 1;
  return 0;
}

static void *second(void *unused) {
  if (y == 1)
    assert(x != 2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  pthread_join(thread, 0);
  x = 2;
  pthread_create(&thread, 0, second, 0);
  y = 1;
  x = 3;
  pthread_exit(0);
}
