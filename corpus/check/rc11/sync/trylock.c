// selvedge: check --model rc11 --strategy optimal
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DALWAYS
// expect: violation assertion
// selvedge: check --model rc11 --strategy optimal --cflags -DREAD
// expect: violation data-race
//
// A mutex that somebody else has is not waited for; and that it was taken orders nothing.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, before;

static void *worker(void *unused) {
  if (!pthread_mutex_trylock(&mutex)) {
    count++;
    pthread_mutex_unlock(&mutex);
  }
#ifdef READ
  else
    assert(before == 1);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, worker, 0);
  before = 1;
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  pthread_join(other, 0);
#ifdef ALWAYS
  assert(count == 2);
#else
  assert(count == 1 || count == 2);
#endif
}
