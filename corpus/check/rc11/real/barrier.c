// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DARRIVE=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DOPEN=memory_order_relaxed
// expect: violation data-race
//
// A barrier whose sense turns round each time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef ARRIVE
#define ARRIVE memory_order_acq_rel
#endif
#ifndef OPEN
#define OPEN memory_order_release
#endif

static atomic_int missing = THREADS, sense;
static int values[THREADS];

static void wait_for_all(int round) {
  if (atomic_fetch_sub_explicit(&missing, 1, ARRIVE) == 1) {
    atomic_store_explicit(&missing, THREADS, memory_order_relaxed);
    atomic_store_explicit(&sense, round, OPEN);
  } else {
    while (atomic_load_explicit(&sense, memory_order_acquire) != round)
      ;
  }
}

static void *worker(void *own) {
  int me = (int)((int *)own - values);
  values[me] = 1;
  wait_for_all(1);
  int sum = 0;
  for (int i = 0; i < THREADS; ++i)
    sum += values[i];
  assert(sum == THREADS);
  wait_for_all(0);
  values[me] = 2;
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, &values[i]);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
}
