// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// Whichever of two threads gives up its reference last looks at what a third one is changing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int references = 2;
atomic_int state;

static void *user(void *unused) {
  if (atomic_fetch_sub(&references, 1) == 1)
    assert(atomic_load(&state) != 1);
  return 0;
}

static void *writer(void *unused) {
  atomic_store(&state, 1);
  atomic_store(&state, 2);
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, user, 0);
  pthread_create(&c, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
