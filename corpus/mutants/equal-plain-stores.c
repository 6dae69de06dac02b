// selvedge: check --model sc
// expect: violation data-race
// mutant: verified
// Two plain stores of the same value race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int other;

static void *first(void *unused) {
  x = 1;
  return 0;
}

static void *second(void *unused) {
  other = 1;
  x = 1;
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
