// selvedge: check --model sc --strategy optimal
// expect: verified executions 4
// selvedge: check --model sc --strategy dpor
// expect: verified executions 4
// selvedge: check --model tso --strategy optimal
// expect: verified executions 4
// selvedge: check --model tso --strategy dpor
// expect: verified executions 4
// selvedge: check --model pso --strategy optimal
// expect: verified executions 4
// A thread takes a recursive mutex twice. Another one can take it before the first time, but not between the two: so the
// second one is nothing that can be overtaken.
#define _GNU_SOURCE
#include <pthread.h>

static int word;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *twice(void *argument) {
  __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, twice, 0);
  __atomic_load_n(&word, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
