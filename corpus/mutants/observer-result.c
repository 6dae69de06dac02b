// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// What two readers return says that both have seen the value in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_long stage;

static void *reader(void *unused) { return (void *)stage; }

static void *writer(void *unused) {
  stage = 1;
  stage = 2;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  void *seen[2];
  pthread_join(a, &seen[0]);
  pthread_join(b, &seen[1]);
  pthread_join(c, 0);
  assert(seen[0] != (void *)1 || seen[1] != (void *)1);
  return 0;
}
