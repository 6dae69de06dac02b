// selvedge: check --model rc11 --strategy optimal --no-spurious
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DLOST
// expect: violation deadlock
// selvedge: check --model rc11 --strategy optimal --cflags -DUNLOCKED
// expect: violation data-race
//
// A value is handed over under a mutex. Who waits without looking first waits for ever if the signal came before.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *producer(void *unused) {
#ifndef UNLOCKED
  pthread_mutex_lock(&mutex);
#endif
  data = 42;
  ready = 1;
  pthread_cond_signal(&changed);
#ifndef UNLOCKED
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, producer, 0);
  pthread_mutex_lock(&mutex);
#ifdef LOST
  pthread_cond_wait(&changed, &mutex);
#else
  while (!ready)
    pthread_cond_wait(&changed, &mutex);
#endif
  assert(data == 42);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, 0);
}
