// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// Two readers note what they have seen: both may have seen the value in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int stage;
atomic_int seen[2];

static void *reader(void *own) {
  *(atomic_int *)own = stage;
  return 0;
}

static void *writer(void *unused) {
  stage = 1;
  stage = 2;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, &seen[0]);
  pthread_create(&b, 0, reader, &seen[1]);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(seen[0] != 1 || seen[1] != 1);
  return 0;
}
