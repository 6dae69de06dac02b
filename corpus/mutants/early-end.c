// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// What a thread does before the program ends must not be lost with an early end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *wrong(void *unused) {
  x = 1;
  assert(x == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wrong, 0);
  return 0;
}
