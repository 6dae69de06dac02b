// selvedge: check --model rc11 --strategy optimal
// expect: verified executions 3
// selvedge: check --model rc11 --cflags -DORDER=memory_order_relaxed
// expect: violation assertion line 33
// selvedge: check --model rc11 --cflags '-DORDER=memory_order_relaxed -DFENCE'
// expect: verified executions 3
//
// Each thread raises its flag and looks at the other's. Sequentially consistent accesses, or fences, let one of them see
// the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

atomic_int flag[2], saw[2];

void *raise_flag(void *own) {
  int me = own != 0;
  atomic_store_explicit(&flag[me], 1, ORDER);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  saw[me] = atomic_load_explicit(&flag[!me], ORDER);
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, raise_flag, 0), pthread_create(&other, 0, raise_flag, &one);
  pthread_join(one, 0), pthread_join(other, 0);
  assert(saw[0] || saw[1]);
}
