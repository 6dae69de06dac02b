// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// One thread goes round for ever and meets nobody; the other is wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int own, x;

static void *round(void *unused) {
  for (;;)
    own = !own;
}

static void *wrong(void *unused) {
  x = 1;
  assert(x == 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, round, 0);
  pthread_create(&b, 0, wrong, 0);
  pthread_join(b, 0);
  return 0;
}
