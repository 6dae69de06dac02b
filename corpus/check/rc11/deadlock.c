// selvedge: check --model rc11
// expect: violation deadlock
// selvedge: check --model rc11 --cflags -DORDERED
// expect: verified
//
// Two mutexes, taken in different orders.
#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

void *thread(void *unused) {
#ifdef ORDERED
  take(&left, &right);
#else
  take(&right, &left);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  take(&left, &right);
  pthread_join(other, 0);
}
