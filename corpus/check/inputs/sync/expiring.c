// selvedge: check
// expect: violation assertion
//
// A thread's wait is over, and before it has the mutex back the other one signals: nobody hears that.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting, signalled;

static void *wait(void *unused) {
  struct timespec limit = {5, 0};
  pthread_mutex_lock(&mutex);
  waiting = 1;
  int expired = pthread_cond_timedwait(&condition, &mutex, &limit);
  assert(!(expired && signalled));
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  int order = selvedge_any_int();
  pthread_t thread;
  pthread_create(&thread, 0, wait, 0);
  pthread_mutex_lock(&mutex);
  if (waiting && order == 5) {
    pthread_cond_signal(&condition);
    signalled = 1;
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
