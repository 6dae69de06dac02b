// selvedge: check --no-races --without portfolio,summaries,last-thread --set input_scouts=0 --set chain_sample_bits=0
// expect: violation assertion
// mutant: verified
// The number 0 and an input that is 0 lead to the same memory, and not to the same executions: which is stored last is decided by the
// schedule.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>

int place, input, third;

static void *first(void *unused) {
  third = 1; place = input;
  return unused;
}

static void *second(void *unused) {
  place = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  input = selvedge_any_int();
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(place != 7);
  return 0;
}
