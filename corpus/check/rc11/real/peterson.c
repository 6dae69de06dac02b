// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DTURN=memory_order_release
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DTURN=memory_order_acquire
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DDONE=memory_order_relaxed
// expect: violation data-race
//
// Peterson's lock for two. The two exchanges are ordered, so nothing has to be sequentially consistent.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef TURN
#define TURN memory_order_acq_rel
#endif
#ifndef DONE
#define DONE memory_order_release
#endif

static atomic_int wants[2], turn;
static int counter;

static void *worker(void *second) {
  int me = second != 0;
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_exchange_explicit(&turn, !me, TURN);
  while (atomic_load_explicit(&wants[!me], memory_order_acquire) &&
         atomic_load_explicit(&turn, memory_order_relaxed) != me)
    ;
  ++counter;
  atomic_store_explicit(&wants[me], 0, DONE);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, &counter);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
}
