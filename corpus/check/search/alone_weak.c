// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// A weak compare-exchange may fail for no reason, also in the last thread alive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int word;

static void *nothing(void *unused) { return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  int expected = 0;
  assert(atomic_compare_exchange_weak(&word, &expected, 1));
  return 0;
}
