// selvedge: check --model rc11
// expect: verified executions 1
// selvedge: check --model rc11 --strategy optimal
// expect: verified executions 2
// selvedge: check --model rc11 --cflags -DBETWEEN
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DRESULT
// expect: violation assertion
// selvedge: check --model rc11 --cflags -DSTORED
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DONE
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DELSEWHERE
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DSELF
// expect: violation assertion
// selvedge: check --model rc11 --cflags -DSTACK
// expect: violation assertion
//
// Two threads that do the same are taken for the same: which of them comes first does not matter. If something tells them
// apart it does, and what goes wrong only if the second comes first is found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int count;
static int data, stored;
static pthread_t threads[2], who[2];
static atomic_uintptr_t where[2];

static void *worker(void *unused) {
  long turn = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  if (turn == 0)
    data = 1;
#ifdef STORED
  if (turn == 1)
    return stored ? unused : 0;
#endif
#ifdef SELF
  who[turn] = pthread_self();
#endif
#ifdef STACK
  int own = 0;
  int *volatile address = &own;
  atomic_store_explicit(&where[turn], (uintptr_t)address, memory_order_relaxed);
#endif
#ifdef RESULT
  return (void *)turn;
#endif
  return unused;
}

#ifdef ELSEWHERE
static void *joiner(void *first) {
  pthread_join(*(pthread_t *)first, 0);
  assert(data >= 0);
  return 0;
}
#endif

int main(void) {
  pthread_t own[2];
  void *first = 0;
  pthread_create(&own[0], 0, worker, 0);
#ifdef STORED
  stored = 1;
#endif
  pthread_create(&own[1], 0, worker, 0);
#ifdef ELSEWHERE
  pthread_t other;
  pthread_create(&other, 0, joiner, &own[0]);
  pthread_join(other, 0);
#elif defined(RESULT)
  pthread_join(own[0], &first);
  assert(first == 0);
#else
  pthread_join(own[0], 0);
#endif
#if defined(BETWEEN) || defined(ONE)
  assert(data >= 0);
#endif
#ifndef ONE
  pthread_join(own[1], 0);
#endif
#ifdef SELF
  assert(pthread_equal(who[0], own[0]));
#endif
#ifdef STACK
  assert(where[0] < where[1]);
#endif
  (void)first, (void)threads;
}
