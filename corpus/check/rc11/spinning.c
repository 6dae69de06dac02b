// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DNEVER
// expect: violation termination
// selvedge: check --model rc11 --cflags -DLOAD=memory_order_relaxed
// expect: violation data-race
//
// A thread waits in a loop for a flag. What it looks at in vain is looked at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef LOAD
#define LOAD memory_order_acquire
#endif

int message;
atomic_int there;

void *writer(void *unused) {
  message = 42;
#ifndef NEVER
  atomic_store_explicit(&there, 1, memory_order_release);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  while (!atomic_load_explicit(&there, LOAD))
    ;
  assert(message == 42);
  pthread_join(thread, 0);
}
