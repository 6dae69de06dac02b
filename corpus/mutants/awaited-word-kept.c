// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// A third thread gives the word that the second waits for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int word = 1, x;

static void *reader(void *unused) {
  assert(x == 0);
  return 0;
}

static void *taking(void *unused) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&word, &expected, 1))
    x = 1;
  return 0;
}

static void *giving(void *unused) {
  word = 0;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, taking, 0);
  pthread_create(&c, 0, giving, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
