// selvedge: check --model rc11 --strategy optimal --no-spurious
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DSIGNAL
// expect: violation deadlock
//
// Two wait for different things at one condition variable: a single signal may wake the wrong one.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turns[2];

static void *waiter(void *number) {
  pthread_mutex_lock(&mutex);
  while (!turns[(long)number])
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t others[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&others[i], 0, waiter, (void *)i);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    turns[i] = 1;
    pthread_mutex_unlock(&mutex);
#ifdef SIGNAL
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
  }
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], 0);
}
