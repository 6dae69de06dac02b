// selvedge: check --model rc11
// expect: verified executions 2
// selvedge: check --model rc11 --cflags -DSTORE=memory_order_relaxed
// expect: violation data-race line 31
// selvedge: check --model rc11 --cflags -DLOAD=memory_order_relaxed
// expect: violation data-race line 31
// selvedge: check --model mca
// expect: verified executions 2
// selvedge: check --model mca --cflags -DLOAD=memory_order_relaxed
// expect: violation data-race line 31
// selvedge: check --model tso --cflags -DLOAD=memory_order_relaxed
// expect: verified
//
// A message in plain memory, and a flag that says that it is there. On x86 any order will do; the language wants a release
// and an acquire.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef STORE
#define STORE memory_order_release
#endif
#ifndef LOAD
#define LOAD memory_order_acquire
#endif

int message;
atomic_int there;

void *reader(void *unused) {
  if (atomic_load_explicit(&there, LOAD))
    assert(message == 42);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  message = 42;
  atomic_store_explicit(&there, 1, STORE);
  pthread_join(thread, 0);
}
