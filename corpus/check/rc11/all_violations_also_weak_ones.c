// selvedge: check --model rc11 --keep-going
// expect: violation assertion line 18
// expect: violation assertion line 38
// selvedge: check --model rc11 --keep-going --without summaries
// expect: violation assertion line 18
// expect: violation assertion line 38
// One violation shows in sequentially consistent executions, and the other one only in weaker ones: where all are wanted the
// search goes on to these.
#include <assert.h>
#include <pthread.h>

static int x, y, seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fails(void *argument) {
  pthread_mutex_lock(&mutex);
  // As soon as it gets here.
  assert(argument);
  return 0;
}

static void *stores(void *argument) {
  __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
  seen = __atomic_load_n(&y, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t failing, storing;
  int own;
  pthread_create(&failing, 0, fails, 0);
  pthread_create(&storing, 0, stores, 0);
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
  own = __atomic_load_n(&x, __ATOMIC_RELAXED);
  pthread_join(storing, 0);
  // Both may have read what was there before.
  assert(own || seen);
  pthread_mutex_unlock(&mutex);
  pthread_join(failing, 0);
  return 0;
}
