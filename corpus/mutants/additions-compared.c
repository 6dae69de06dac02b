// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// Each of two additions may come second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

static void *first(void *unused) {
  if (atomic_fetch_add(&count, 1) == 1)
    assert(0);
  return 0;
}

static void *second(void *unused) {
  atomic_fetch_add(&count, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
