// selvedge: check --model rc11 --strategy optimal
// expect: violation termination
// selvedge: check --model rc11 --strategy optimal --cflags -DPOSTED
// expect: verified
//
// A thread tries to take what nobody gives.
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;

static void *taker(void *unused) {
  while (sem_trywait(&permits))
    ;
  return unused;
}

int main(void) {
  pthread_t other;
  sem_init(&permits, 0, 0);
  pthread_create(&other, 0, taker, 0);
#ifdef POSTED
  sem_post(&permits);
#endif
  pthread_join(other, 0);
}
