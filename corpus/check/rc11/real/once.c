// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DREADY=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DLOOK=memory_order_relaxed
// expect: violation data-race
//
// Initialised once, behind a lock that is taken only if it may be necessary.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef READY
#define READY memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;

static int get(void) {
  if (!atomic_load_explicit(&ready, LOOK)) {
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      ++value;
      atomic_store_explicit(&ready, 1, READY);
    }
    pthread_mutex_unlock(&lock);
  }
  return value;
}

static void *worker(void *unused) {
  assert(get() == 1);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
}
