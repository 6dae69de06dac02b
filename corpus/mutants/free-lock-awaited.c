// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// What comes after taking a lock that nobody holds may happen at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, other;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
  assert(x == 0);
  return 0;
}

static void *locking(void *unused) {
  other = 1;
  pthread_mutex_lock(&lock);
  x = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, locking, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
