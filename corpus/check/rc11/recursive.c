// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --strategy optimal
// expect: verified
// selvedge: check --model rc11 --cflags -DEXIT
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DEXIT
// expect: verified
//
// A mutex that may be taken twice. A thread that ends the process is not known where graphs are explored, and said so.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *thread(void *unused) {
#ifdef EXIT
  exit(0);
#else
  pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex), pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, 0);
}
