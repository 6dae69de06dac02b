// selvedge: check --model rc11 --strategy optimal
// expect: verified executions 6
// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DUNPROTECTED
// expect: violation data-race line 20
// selvedge: check --model rc11 --strategy optimal --cflags -DATOMIC
// expect: verified executions 6
//
// Three threads count, with a mutex or atomically.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#if defined ATOMIC
atomic_int counter;
#define COUNT atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed)
#elif defined UNPROTECTED
int counter; void count(void) { ++counter; }
#define COUNT count()
#else
int counter;
#define COUNT pthread_mutex_lock(&mutex), ++counter, pthread_mutex_unlock(&mutex)
#endif

void *thread(void *unused) {
  COUNT;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < 3; ++i)
    pthread_join(threads[i], 0);
  assert(counter == 3);
}
