// selvedge: check --model sc
// expect: violation deadlock
// mutant: verified
// Two readers assume that they come early; the deadlock at the end counts only if both do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
atomic_int stage;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
  __VERIFIER_assume(stage == 1);
  return 0;
}

static void *writer(void *unused) {
  stage = 1;
  stage = 2;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  pthread_detach(thread);
  pthread_create(&thread, 0, reader, 0);
  pthread_detach(thread);
  pthread_create(&thread, 0, writer, 0);
  pthread_join(thread, 0);
  return 0;
}
