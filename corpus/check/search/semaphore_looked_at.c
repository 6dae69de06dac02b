// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
// selvedge: check --model pso
// expect: violation assertion
// selvedge: check
// expect: violation assertion
//
// What `sem_getvalue` finds depends on whether another thread has posted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *unused) {
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  int value = 0;
  pthread_t thread;
  sem_init(&semaphore, 0, 1);
  pthread_create(&thread, 0, post, 0);
  sem_getvalue(&semaphore, &value);
  pthread_join(thread, 0);
  assert(value == 1);
  return 0;
}
