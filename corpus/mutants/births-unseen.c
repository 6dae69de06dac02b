// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// The thread that stores is created in the middle of the search.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, other;

static void *child(void *unused) {
  x = 1;
  return 0;
}

static void *parent(void *unused) {
  pthread_t thread;
  other = 1;
  pthread_create(&thread, 0, child, 0);
  pthread_join(thread, 0);
  return 0;
}

static void *reader(void *unused) {
  assert(x == 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&b, 0, reader, 0);
  pthread_create(&a, 0, parent, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
