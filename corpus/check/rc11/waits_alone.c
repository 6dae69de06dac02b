// selvedge: check --cflags -DBARRIER
// expect: violation deadlock
// selvedge: check --model rc11 --strategy optimal --cflags -DBARRIER
// expect: violation deadlock
// selvedge: check --model mca --strategy optimal --cflags -DBARRIER
// expect: violation deadlock
// selvedge: check --model rc11 --strategy optimal --cflags -DSEMAPHORE
// expect: violation deadlock
// selvedge: check --model rc11 --strategy optimal --cflags -DMUTEX
// expect: violation deadlock
// selvedge: check --model rc11 --strategy optimal
// expect: verified
//
// The only thread of a program waits for what nothing can give it, before anything is an event of an execution graph.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
#ifdef BARRIER
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_barrier_wait(&barrier);
#endif
#ifdef SEMAPHORE
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  sem_wait(&semaphore);
#endif
#ifdef MUTEX
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  return 0;
}
