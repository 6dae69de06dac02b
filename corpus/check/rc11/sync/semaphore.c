// selvedge: check --model rc11 --strategy optimal
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DPERMITS=2
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal --cflags -DPERMITS=0
// expect: violation deadlock
//
// A semaphore as a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef PERMITS
#define PERMITS 1
#endif

static sem_t permits;
static int count;

static void *worker(void *unused) {
  sem_wait(&permits);
  count++;
  sem_post(&permits);
  return unused;
}

int main(void) {
  pthread_t others[3];
  sem_init(&permits, 0, PERMITS);
  for (int i = 0; i < 3; i++)
    pthread_create(&others[i], 0, worker, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(others[i], 0);
  assert(count == 3);
}
