// selvedge: check --model sc --strategy states --without last-thread
// expect: violation termination
// selvedge: check --model sc
// expect: violation termination
//
// The last thread alive spins for ever, and the search that stops before each of its operations sees a cycle of states. The machine that
// replays runs on: it goes for ever in the step with which the thread becomes the last one.
#include <pthread.h>
int never, other;
static void *thread(void *argument) {
  __atomic_store_n(&other, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  pthread_join(handle, 0);
  while (__atomic_load_n(&never, __ATOMIC_SEQ_CST) < 1) ;
  return 0;
}
