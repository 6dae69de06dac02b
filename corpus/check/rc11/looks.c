// selvedge: check --model rc11 --strategy optimal
// expect: verified executions 1
// selvedge: check --model rc11 --cflags -DPLAIN
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DFREE
// expect: violation memory
// selvedge: check --model rc11 --cflags -DATTEMPTS
// expect: verified
// selvedge: check --model rc11 --cflags "-DATTEMPTS -DLOST"
// expect: violation assertion
//
// Threads that look until they find something, or try until it works. What they look at in vain is left out, but not
// what races with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *flag;
static atomic_int sum;
static int data;

static void *wait_for_it(void *unused) {
  while (!atomic_load_explicit(flag, memory_order_acquire))
    ;
  assert(data == 1);
  return unused;
}

static void *add(void *unused) {
  int seen = atomic_load_explicit(&sum, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&sum, &seen, seen + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
    ;
#ifdef LOST
  assert(seen < 2);
#else
  assert(seen < 3);
#endif
  return unused;
}

int main(void) {
  flag = calloc(1, sizeof *flag);
  pthread_t threads[3];
#ifdef ATTEMPTS
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; ++i)
    pthread_join(threads[i], 0);
  assert(atomic_load_explicit(&sum, memory_order_relaxed) == 3);
#else
  pthread_create(&threads[0], 0, wait_for_it, 0);
#ifdef PLAIN
  *(int *)flag = 0;
#endif
  data = 1;
  atomic_store_explicit(flag, 1, memory_order_release);
#ifdef FREE
  free(flag);
#endif
  pthread_join(threads[0], 0);
#endif
}
