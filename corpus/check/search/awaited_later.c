// selvedge: check --model sc
// expect: violation assertion
// selvedge: check
// expect: violation assertion
// A word that a thread will want to be 0 lies where that thread has memory of its own at first, which holds something else. The
// thread does not wait for the word: it makes it 0 before another thread knows of it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int begun, flag;
_Atomic(atomic_int *) published;

static void *sets(void *unused) {
  int *own = malloc(sizeof *own);
  *own = 100;
  atomic_store(&begun, *own);
  free(own);
  atomic_int *word = malloc(sizeof *word);
  atomic_init(word, 0);
  atomic_store(&published, word);
  int expected = 0;
  if (atomic_compare_exchange_strong(word, &expected, 1))
    atomic_store(&flag, 1);
  return 0;
}

static void *looks(void *unused) {
  assert(atomic_load(&flag) == 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, looks, 0);
  pthread_create(&b, 0, sets, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
