// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DTAKING=memory_order_acq_rel
// expect: violation assertion
// selvedge: check --model rc11 --cflags -DSTEALING=memory_order_acq_rel
// expect: violation assertion
// selvedge: check --model rc11 --cflags -DPUSHED=memory_order_relaxed
// expect: violation data-race
//
// The work-stealing deque of Chase and Lev with the fences of Lê, Pop, Cohen and Zappa Nardelli, without growing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef THIEVES
#define THIEVES 1
#endif
#ifndef STEALS
#define STEALS 2
#endif
#ifndef TAKING
#define TAKING memory_order_seq_cst
#endif
#ifndef STEALING
#define STEALING memory_order_seq_cst
#endif
#ifndef PUSHED
#define PUSHED memory_order_release
#endif
#define SIZE 4

static atomic_int top, bottom;
static _Atomic(int *) slots[SIZE];
static int work[ITEMS];
static atomic_int done[ITEMS];

static void push(int *item) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  int t = atomic_load_explicit(&top, memory_order_acquire);
  assert(b - t < SIZE);
  atomic_store_explicit(&slots[b % SIZE], item, memory_order_relaxed);
  atomic_thread_fence(PUSHED);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int *take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(TAKING);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return 0;
  }
  int *item = atomic_load_explicit(&slots[b % SIZE], memory_order_relaxed);
  if (t == b) {
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      item = 0;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return item;
}

static int *steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(STEALING);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return 0;
  int *item = atomic_load_explicit(&slots[t % SIZE], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return 0;
  return item;
}

static void finish(int *item) {
  if (!item)
    return;
  int number = *item;
  assert(atomic_fetch_add_explicit(&done[number], 1, memory_order_relaxed) == 0);
}

static void *thief(void *unused) {
  for (int i = 0; i < STEALS; ++i)
    finish(steal());
  return unused;
}

int main(void) {
  pthread_t threads[THIEVES];
  for (int i = 0; i < THIEVES; ++i)
    pthread_create(&threads[i], 0, thief, 0);
  for (int i = 0; i < ITEMS; ++i) {
    work[i] = i;
    push(&work[i]);
  }
  for (int i = 0; i < ITEMS; ++i)
    finish(take());
  for (int i = 0; i < THIEVES; ++i)
    pthread_join(threads[i], 0);
  for (int i = 0; i < ITEMS; ++i)
    assert(atomic_load_explicit(&done[i], memory_order_relaxed) == 1);
}
