// selvedge: check --model rc11 --strategy optimal
// expect: verified
//
// What is initialised once, by whoever comes first; and a mutex that was taken before there were threads.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int made, started;

static void make(void) { made++; }

static void *worker(void *unused) {
  pthread_once(&once, make);
  assert(made == 1);
  pthread_mutex_lock(&mutex);
  assert(started == 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t others[2];
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 2; i++)
    pthread_create(&others[i], 0, worker, 0);
  started = 1;
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], 0);
}
