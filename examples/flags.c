// Two threads raise a flag each before they look at the other's: whoever sees no other flag may enter. With
// sequential consistency at most one of them does. With store buffers both flags may still be on their way when they
// are looked at, unless each thread waits for its own to arrive: that is what FENCE does.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left_flag, right_flag, inside;

static void enter(atomic_int *mine, atomic_int *theirs) {
  atomic_store_explicit(mine, 1, memory_order_release);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(theirs, memory_order_acquire) == 0)
    assert(atomic_fetch_add(&inside, 1) == 0);
}

static void *left(void *unused) {
  enter(&left_flag, &right_flag);
  return unused;
}

static void *right(void *unused) {
  enter(&right_flag, &left_flag);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, left, NULL);
  pthread_create(&other, NULL, right, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
