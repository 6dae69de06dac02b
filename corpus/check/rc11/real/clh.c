// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DLEAVE=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DSEE=memory_order_relaxed
// expect: violation data-race
//
// The queue lock of Craig, Landin and Hagersten: each waits at the node of the one before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif
#ifndef SEE
#define SEE memory_order_acquire
#endif

struct node {
  atomic_int taken;
};
static struct node nodes[THREADS + 1];
static _Atomic(struct node *) tail = &nodes[THREADS];
static int counter;

static void *worker(void *first) {
  struct node *mine = first;
  for (int i = 0; i < ROUNDS; ++i) {
    atomic_store_explicit(&mine->taken, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&before->taken, SEE))
      ;
    ++counter;
    atomic_store_explicit(&mine->taken, 0, LEAVE);
    mine = before;
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, &nodes[i]);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
  assert(counter == THREADS * ROUNDS);
}
