// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// One store overwrites another, and somebody reads in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *store(void *value) {
  x = (int)(long)value;
  return 0;
}

static void *reader(void *unused) {
  int before = x, after = x;
  assert(before != 2 || after != 1);
  assert(before != 1 || after != 2);
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, store, (void *)1);
  pthread_create(&b, 0, store, (void *)2);
  pthread_create(&c, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
