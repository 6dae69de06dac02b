// selvedge: check --model sc
// expect: violation assertion line 34
// selvedge: check --model tso
// expect: violation assertion line 34
// selvedge: check --model pso
// expect: violation assertion line 34
// selvedge: check --model rc11
// expect: violation assertion line 34
// selvedge: check --model sc --strategy dpor
// expect: violation assertion line 34
// selvedge: check --model sc --strategy optimal
// expect: violation assertion line 34
// selvedge: check --model sc --strategy states
// expect: violation assertion line 34
// A key of thread-specific values is deleted while another thread still uses it: it notices that, though what threads do with
// their own values is no operation that others see.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int word, other;

static void *deletes(void *argument) {
  __atomic_load_n(&other, __ATOMIC_SEQ_CST);
  pthread_key_delete(key);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, 0);
  pthread_create(&thread, 0, deletes, 0);
  __atomic_load_n(&word, __ATOMIC_SEQ_CST);
  assert(pthread_setspecific(key, &word) == 0);
  pthread_join(thread, 0);
  return 0;
}
