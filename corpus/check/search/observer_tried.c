// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// Nobody waits for the reader, but somebody looks whether it has ended.
#define _GNU_SOURCE
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
  if (pthread_tryjoin_np(a, 0) == 0)
    x = 1;
  pthread_join(b, 0);
  return 0;
}
