// selvedge: check --model rc11 --strategy optimal --no-spurious
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DCERTAIN
// expect: violation assertion
//
// A wait that may take too long ends whether it is signalled or not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  struct timespec end = {.tv_sec = 1};
  pthread_create(&other, 0, producer, 0);
  pthread_mutex_lock(&mutex);
  int result = 0;
  while (!ready && !result)
    result = pthread_cond_timedwait(&changed, &mutex, &end);
#ifdef CERTAIN
  assert(ready);
#else
  assert(ready || result == ETIMEDOUT);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(other, 0);
}
